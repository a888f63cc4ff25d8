// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner's steps, cheapest first; each ends the work when the height
// meets the bound.
#include "passes/planner/Planner.h"
#include "passes/planner/Model.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

namespace aotc::planner {
namespace {

/// The layout of items as one of buffers; bound and proof are left to the caller.
Plan toPlan(const Problem &problem, const Model &model, const Layout &layout) {
  Plan plan;
  plan.heights.assign(problem.regions.size(), 0);
  plan.overlaps.assign(problem.mayOverlap.size(), Overlap::none);
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    int item = model.itemOf[b];
    plan.placements.push_back({layout.regions[item], layout.offsets[item] + model.delta[b]});
    int64_t &top = plan.heights[layout.regions[item]];
    top = std::max(top, plan.placements[b].offset + problem.buffers[b].size);
  }
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const Rule &rule = model.rules[r];
    int64_t apart = layout.offsets[rule.input] - layout.offsets[rule.output];
    Overlap way = layout.used[r];
    if (way == Overlap::none)
      continue;
    int taken = rule.alternativeAt(way, way == Overlap::ascending ? apart : -apart);
    if (taken >= 0) // else rules contradict, and the plan is invalid
      plan.overlaps[rule.sources[taken]] = way;
  }
  return plan;
}

/// The step at which the plan reaches highest in the region, and the most bytes
/// are live; the first of several.
int64_t fullestStepOfRegion(const Problem &problem, const Plan &plan, int region) {
  std::map<int64_t, std::pair<int64_t, int64_t>> at; // birth -> reach, bytes
  for (size_t b = 0; b < problem.buffers.size(); ++b)
    if (plan.placements[b].region == region)
      at[problem.buffers[b].life.first];
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer &buffer = problem.buffers[b];
    if (plan.placements[b].region != region)
      continue;
    for (auto step = at.lower_bound(buffer.life.first);
         step != at.end() && step->first <= buffer.life.last; ++step) {
      step->second.first = std::max(step->second.first, plan.placements[b].offset + buffer.size);
      step->second.second += buffer.size;
    }
  }
  auto peak = at.begin();
  for (auto step = at.begin(); step != at.end(); ++step)
    if (step->second > peak->second)
      peak = step;
  return peak == at.end() ? 0 : peak->first;
}

void reportShortages(const Problem &problem, Plan &plan) {
  for (int r = 0; r < static_cast<int>(problem.regions.size()); ++r) {
    auto capacity = problem.regions[r].capacity;
    if (!capacity || plan.heights[r] <= *capacity)
      continue;
    plan.feasible = false;
    plan.shortages.push_back(
        {r, plan.heights[r] - *capacity, fullestStepOfRegion(problem, plan, r)});
  }
}

} // namespace

namespace {

/// The problem in an order of its own, so that a plan does not depend on the
/// order in which buffers and rules were given.
struct Sorted {
  explicit Sorted(const Problem &problem);
  Plan inGivenOrder(const Plan &plan) const;

  Problem problem;
  std::vector<int> buffers, rules; ///< given number, by sorted number
};

Sorted::Sorted(const Problem &given)
    : problem(given), buffers(given.buffers.size()), rules(given.mayOverlap.size()) {
  std::iota(buffers.begin(), buffers.end(), 0);
  auto key = [&](int b) {
    const Buffer &buffer = given.buffers[b];
    return std::make_tuple(buffer.life.first, buffer.life.last, -buffer.size, buffer.align,
                           buffer.role, buffer.fixedOffset, buffer.fixedRegion,
                           std::cref(buffer.regions), std::string_view(buffer.name), b);
  };
  std::sort(buffers.begin(), buffers.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<int> sorted(buffers.size()); // by given number
  for (size_t i = 0; i < buffers.size(); ++i) {
    sorted[buffers[i]] = static_cast<int>(i);
    problem.buffers[i] = given.buffers[buffers[i]];
  }
  for (MustAlias &alias : problem.mustAlias)
    alias = {sorted[alias.a], sorted[alias.b], alias.delta};
  std::iota(rules.begin(), rules.end(), 0);
  auto ruleKey = [&](int r) {
    const MayOverlap &may = given.mayOverlap[r];
    return std::make_tuple(sorted[may.output], sorted[may.input], may.ascending, may.descending,
                           may.multiple, may.phase, r);
  };
  std::sort(rules.begin(), rules.end(), [&](int a, int b) { return ruleKey(a) < ruleKey(b); });
  for (size_t i = 0; i < rules.size(); ++i) {
    problem.mayOverlap[i] = given.mayOverlap[rules[i]];
    problem.mayOverlap[i].input = sorted[problem.mayOverlap[i].input];
    problem.mayOverlap[i].output = sorted[problem.mayOverlap[i].output];
  }
}

Plan Sorted::inGivenOrder(const Plan &plan) const {
  Plan result = plan;
  for (size_t i = 0; i < buffers.size(); ++i)
    result.placements[buffers[i]] = plan.placements[i];
  for (size_t i = 0; i < rules.size(); ++i)
    result.overlaps[rules[i]] = plan.overlaps[i];
  return result;
}

} // namespace

PlannerOptions PlannerOptions::ofEffort(int64_t effort) {
  PlannerOptions options;
  effort = std::clamp<int64_t>(effort, 0, kMaxEffort);
  options.nodeLimit *= effort;
  options.visitLimit *= effort;
  return options;
}

static Plan solveSorted(const Problem &problem, const PlannerOptions &options) {
  Plan plan;
  if (problem.buffers.empty()) {
    plan.heights.assign(problem.regions.size(), 0);
    plan.overlaps.assign(problem.mayOverlap.size(), Overlap::none);
    plan.optimal = true;
    return plan;
  }

  Model model(problem);
  if (problem.regions.size() > 1) {
    plan = planRegions(problem, model, options);
  } else {
    int64_t bound = lowerBound(problem), nodes = 0;
    Layout layout = planGreedily(problem, model, bound);
    if (height(model, layout) > bound)
      (model.rules.empty() ? planCanonically : planExactly)(model, options, layout, bound, nodes);
    compact(model, layout);
    plan = toPlan(problem, model, layout);
    plan.bound = bound;
    plan.nodes = nodes;
    plan.optimal = plan.totalHeight() == bound;
  }
  reportShortages(problem, plan);
  return plan;
}

Plan solve(const Problem &problem, const PlannerOptions &options) {
  Sorted sorted(problem);
  return sorted.inGivenOrder(solveSorted(sorted.problem, options));
}

Plan planOf(const Problem &problem, const std::vector<Placement> &placements) {
  Model model(problem);
  Layout layout;
  layout.offsets.assign(model.items.size(), 0);
  layout.regions.assign(model.items.size(), 0);
  for (size_t b = 0; b < placements.size(); ++b) {
    layout.offsets[model.itemOf[b]] = placements[b].offset - model.delta[b];
    layout.regions[model.itemOf[b]] = placements[b].region;
  }
  settleOverlaps(model, layout);
  Plan plan = toPlan(problem, model, layout);
  // As they were given, so that the validator sees what does not agree.
  plan.placements = placements;
  // An invalid plan may lie below the bound; that is not what is wrong with it.
  plan.bound = std::min(lowerBound(problem), plan.totalHeight());
  plan.optimal = plan.totalHeight() == plan.bound;
  reportShortages(problem, plan);
  return plan;
}

} // namespace aotc::planner
