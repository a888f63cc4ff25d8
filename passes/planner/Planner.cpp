// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner's steps, cheapest first; each ends the work when the height
// meets the bound.
#include "passes/planner/Planner.h"
#include "passes/planner/Model.h"

#include <algorithm>

namespace aotc::planner {

Plan solve(const Problem &problem, const PlannerOptions &options) {
  Plan plan;
  plan.heights.assign(problem.regions.size(), 0);
  plan.overlaps.assign(problem.mayOverlap.size(), Overlap::none);
  if (problem.buffers.empty()) {
    plan.optimal = true;
    return plan;
  }

  Model model(problem);
  plan.bound = lowerBound(problem);
  Layout layout = planGreedily(problem, model, plan.bound);
  // The exact search knows one region; with several the greedy plan stands.
  if (problem.regions.size() == 1 && height(model, layout) > plan.bound)
    (model.rules.empty() ? planCanonically : planExactly)(model, options, layout, plan.bound, plan.nodes);

  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    int item = model.itemOf[b];
    plan.placements.push_back({layout.regions[item], layout.offsets[item] + model.delta[b]});
    int64_t &top = plan.heights[layout.regions[item]];
    top = std::max(top, plan.placements[b].offset + problem.buffers[b].size);
  }
  for (size_t r = 0; r < model.rules.size(); ++r)
    plan.overlaps[model.ruleSource[r]] = layout.used[r];
  int64_t total = 0;
  for (int64_t top : plan.heights)
    total += top;
  plan.optimal = total == plan.bound;
  return plan;
}

} // namespace aotc::planner
