// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several regions: which buffer goes where. Buffers are tried largest first, in
// their cheapest region first; a region whose live bytes exceed its capacity
// ends a branch, and once all are assigned each region is planned by itself.
// The greedy assignment is the start, what scores better replaces it.
#include "passes/planner/Model.h"
#include "passes/planner/SubProblem.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace aotc::planner {
namespace {

/// Of the search over assignments; a step computes one region's bound.
constexpr int64_t kNodesPerStep = 100, kNodesPerPlan = 20;

/// Bytes over capacity, bytes times cost, height: least first.
using Score = std::array<int64_t, 3>;

class Assignment {
public:
  Assignment(const Problem &problem, const Model &model, const PlannerOptions &options);

  /// Plans with each item in a given region.
  void plan();
  void search(size_t depth, int64_t cost);

  std::vector<int> regionOf; ///< by item; -1: not yet
  Plan best;
  std::optional<Score> bestScore;
  bool complete = true; ///< nothing of less cost was left out
  int64_t nodes = 0;

private:
  SubProblem part(int region) const;
  int64_t costIn(int item, int region) const;

  const Problem &problem;
  const Model &model;
  PlannerOptions options; ///< for one plan of one region
  std::vector<int> order;
  std::vector<int64_t> restCost; ///< least, of order[depth] and those after
  int64_t steps, plans;          ///< left
};

Assignment::Assignment(const Problem &problem, const Model &model, const PlannerOptions &limits)
    : problem(problem), model(model), options(limits), order(model.items.size()),
      restCost(model.items.size() + 1, 0), steps(limits.nodeLimit / kNodesPerStep),
      plans(kNodesPerPlan) {
  options.nodeLimit /= kNodesPerPlan;
  options.visitLimit /= kNodesPerPlan;
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::pair(-model.items[a].size, a) < std::pair(-model.items[b].size, b);
  });
  for (size_t depth = order.size(); depth-- > 0;)
    restCost[depth] =
        restCost[depth + 1] + costIn(order[depth], model.items[order[depth]].regions.front());
  // Finding a plan is one thing; the recursion must stay shallow in any case.
  if (order.size() > 2000)
    steps = 0;
}

int64_t Assignment::costIn(int item, int region) const {
  int64_t least = problem.regions[region].cost, product = 0;
  for (const Region &other : problem.regions)
    least = std::min(least, other.cost);
  if (__builtin_mul_overflow(model.items[item].size, problem.regions[region].cost - least,
                             &product))
    return int64_t(1) << 50;
  return std::min(product, int64_t(1) << 50);
}

/// The buffers of one region, alone.
SubProblem Assignment::part(int region) const {
  std::vector<bool> keep;
  for (int item : model.itemOf)
    keep.push_back(regionOf[item] == region);
  SubProblem result(problem, keep);
  result.problem.regions = {Region()};
  for (Buffer &buffer : result.problem.buffers) {
    buffer.regions.clear();
    buffer.fixedRegion.reset();
  }
  return result;
}

void Assignment::plan() {
  Plan candidate;
  candidate.placements.resize(problem.buffers.size());
  candidate.overlaps.assign(problem.mayOverlap.size(), Overlap::none);
  Score score{};
  for (int region = 0; region < static_cast<int>(problem.regions.size()); ++region) {
    SubProblem sub = part(region);
    Plan own = solve(sub.problem, options);
    for (size_t i = 0; i < sub.buffers.size(); ++i)
      candidate.placements[sub.buffers[i]] = {region, own.placements[i].offset};
    for (size_t i = 0; i < sub.rules.size(); ++i)
      candidate.overlaps[sub.rules[i]] = own.overlaps[i];
    candidate.heights.push_back(own.heights[0]);
    nodes += own.nodes;
    score[0] += std::max<int64_t>(0, own.heights[0] -
                                         problem.regions[region].capacity.value_or(own.heights[0]));
    score[2] += own.heights[0];
  }
  for (size_t i = 0; i < model.items.size(); ++i)
    score[1] += costIn(static_cast<int>(i), regionOf[i]);
  if (bestScore && *bestScore <= score)
    return;
  best = candidate;
  bestScore = score;
}

void Assignment::search(size_t depth, int64_t cost) {
  // As dear as the best, when that fits: nothing to gain here.
  if ((*bestScore)[0] == 0 && cost + restCost[depth] >= (*bestScore)[1])
    return;
  if (steps <= 0 || plans <= 0) {
    complete = false;
    return;
  }
  if (depth == order.size()) {
    --plans;
    plan();
    // The search for one region's plan may have given up.
    complete = complete && (*bestScore)[0] == 0 && cost == (*bestScore)[1];
    return;
  }
  int item = order[depth];
  for (int region : model.items[item].regions) {
    regionOf[item] = region;
    --steps;
    auto capacity = problem.regions[region].capacity;
    if (!capacity || lowerBound(part(region).problem) <= *capacity)
      search(depth + 1, cost + costIn(item, region));
  }
  regionOf[item] = -1;
}

} // namespace

Plan planRegions(const Problem &problem, const Model &model, const PlannerOptions &options) {
  int64_t bound = lowerBound(problem);
  Assignment assignment(problem, model, options);
  assignment.regionOf = planGreedily(problem, model, bound).regions;
  assignment.plan();
  std::fill(assignment.regionOf.begin(), assignment.regionOf.end(), -1);
  if (options.nodeLimit > 0)
    assignment.search(0, 0);
  Plan plan = assignment.best;
  plan.bound = bound;
  plan.nodes = assignment.nodes;
  plan.optimal =
      assignment.complete && (*assignment.bestScore)[0] == 0 && plan.totalHeight() == bound;
  return plan;
}

} // namespace aotc::planner
