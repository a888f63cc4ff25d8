// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/SubProblem.h"

namespace aotc::planner {

SubProblem::SubProblem(const Problem &whole, const std::vector<bool> &keep) {
  problem.regions = whole.regions;
  std::vector<int> number(whole.buffers.size(), -1);
  for (size_t b = 0; b < whole.buffers.size(); ++b)
    if (keep[b]) {
      number[b] = static_cast<int>(buffers.size());
      buffers.push_back(static_cast<int>(b));
      problem.buffers.push_back(whole.buffers[b]);
    }
  for (MustAlias alias : whole.mustAlias) {
    alias.a = number[alias.a];
    alias.b = number[alias.b];
    if (alias.a >= 0 && alias.b >= 0)
      problem.mustAlias.push_back(alias);
  }
  for (size_t r = 0; r < whole.mayOverlap.size(); ++r) {
    MayOverlap may = whole.mayOverlap[r];
    may.input = number[may.input];
    may.output = number[may.output];
    if (may.input < 0 || may.output < 0)
      continue;
    problem.mayOverlap.push_back(may);
    rules.push_back(static_cast<int>(r));
  }
}

} // namespace aotc::planner
