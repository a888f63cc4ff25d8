// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some of a problem's buffers as a problem of their own.
#pragma once

#include "passes/planner/Problem.h"

namespace aotc::planner {

struct SubProblem {
  /// The buffers `b` with keep[b], in their order, with the aliases and the
  /// rules between two of them; all regions. What is fixed stays fixed.
  SubProblem(const Problem &whole, const std::vector<bool> &keep);

  Problem problem;
  std::vector<int> buffers, rules; ///< number in the whole, by number here
};

} // namespace aotc::planner
