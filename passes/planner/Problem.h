// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory planning problem as plain data (no MLIR, no LLVM): buffers with
// lifetimes, pair relations, regions. `plan-memory` builds it from the IR,
// `aotc-plan` from a CSV file.
#pragma once

#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace aotc::planner {

enum class Role : uint8_t { internal, scratch, state, input, output };

/// Live during the steps [first, last], both inclusive.
struct Lifetime {
  int64_t first = 0, last = 0;
};

struct Buffer {
  std::string name;
  int64_t size = 0;  ///< bytes, > 0
  int64_t align = 1; ///< of the offset, a power of two
  Lifetime life;
  Role role = Role::internal;
  std::vector<int> regions;       ///< allowed, by index; empty: all
  std::optional<int> fixedRegion; ///< with fixedOffset
  std::optional<int64_t> fixedOffset;
};

/// offset(b) = offset(a) + delta: a view inside, or two that reach beyond each
/// other. They are live together and share what bytes they share.
struct MustAlias {
  int a = 0, b = 0;
  int64_t delta = 0;
};

/// Buffers `input` and `output`, live together, may share bytes: output may
/// start at most input.start - ascending (kernel runs first to last), or at
/// least input.start + descending (last to first). Absent: not that way.
/// `multiple` > 1: only where input.start - output.start - phase is a multiple
/// of it; 0: only where that is 0, an exact distance. Several of one input and
/// output are alternatives: one of them must hold.
inline constexpr int64_t kMaxMultiple = 1 << 20;
struct MayOverlap {
  int input = 0, output = 0;
  std::optional<int64_t> ascending, descending;
  int64_t multiple = 1, phase = 0;
};

struct Region {
  std::string name = "arena";
  std::optional<int64_t> capacity; ///< bytes; absent: as needed
  int64_t cost = 0;                ///< of a byte; smaller is used first
};

struct Problem {
  std::vector<Buffer> buffers;
  std::vector<MustAlias> mustAlias;
  std::vector<MayOverlap> mayOverlap;
  std::vector<Region> regions = {Region{}};
};

struct Placement {
  int region = 0;
  int64_t offset = 0;
};

/// Which way a MayOverlap was used; `none` if the two do not share bytes.
enum class Overlap : uint8_t { none, ascending, descending };

/// A capacity that the plan does not keep to.
struct Shortage {
  int region = 0;
  int64_t missing = 0; ///< bytes
  int64_t step = 0;    ///< where the region is fullest
};

struct Plan {
  std::vector<Placement> placements; ///< by buffer
  std::vector<Overlap> overlaps;     ///< by Problem::mayOverlap; one of alternatives
  std::vector<int64_t> heights;      ///< bytes used, by region
  int64_t bound = 0;                 ///< lower bound of the sum of heights
  bool optimal = false;              ///< proved
  int64_t nodes = 0;                 ///< search nodes spent
  bool feasible = true;              ///< all capacities are kept
  std::vector<Shortage> shortages;   ///< empty if feasible

  int64_t totalHeight() const {
    return std::accumulate(heights.begin(), heights.end(), int64_t(0));
  }
};

} // namespace aotc::planner
