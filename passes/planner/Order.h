// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order to run instructions so that the most bytes ever live at once
// are fewest. Sizes only; where the bytes lie is Problem.h's matter.
#pragma once

#include "passes/planner/Progress.h"

#include <cstdint>
#include <vector>

namespace aotc::planner {

struct OrderProblem {
  struct Buffer {
    int64_t bytes = 0;
    bool fromStart = false; ///< live before the first node: inputs, state
    bool toEnd = false;     ///< live after the last: outputs, state
  };
  /// `output` may lie on `bytes` of `input` if the input is used by no later
  /// node and the output by no earlier one.
  struct Saving {
    int input = 0, output = 0;
    int64_t bytes = 0; ///< at most the smaller of the two
  };
  struct Node {
    std::vector<int> buffers;    ///< all it touches, each once
    std::vector<int> after;      ///< nodes that must run before it
    std::vector<Saving> savings; ///< at most one is used, the largest possible
  };
  std::vector<Buffer> buffers;
  /// In the given order, which is a legal one: `after` names smaller indices.
  std::vector<Node> nodes;
};

struct OrderOptions {
  int64_t stateLimit = 200000; ///< sets of run nodes the exact search visits, per part
  int64_t beamWidth = 64;      ///< sets kept per step of the fast search before it
  ProgressCallback progress;   ///< may be empty
};

struct Order {
  std::vector<int> nodes; ///< the given order unless another is better
  int64_t peak = 0, givenPeak = 0;
  bool proved = false; ///< no order has a smaller peak
  int64_t states = 0;  ///< visited
};

/// Bytes live while each node of a legal order runs, what its saving spares
/// taken off.
std::vector<int64_t> footprints(const OrderProblem &problem, const std::vector<int> &order);
/// The largest of them, or what is live before the first node.
int64_t peakOf(const OrderProblem &problem, const std::vector<int> &order);

/// The best order found, never worse than the given one; the same on every
/// machine, as limits count states.
Order findOrder(const OrderProblem &problem, const OrderOptions &options = {});

/// Any legal order, by the seed.
std::vector<int> shuffledOrder(const OrderProblem &problem, uint64_t seed);

} // namespace aotc::planner
