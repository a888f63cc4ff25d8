// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions that hold one tensor and nothing else need no planning: without them
// a single arena is left, for which the search is exact. With consumable ones
// the search is over several regions, which is weaker; so both are tried.
#include "passes/analysis/CallerRegions.h"
#include "passes/planner/SubProblem.h"

#include <algorithm>

using namespace aotc;
using planner::Buffer;
using planner::Plan;
using planner::Problem;

void aotc::allowRegions(Problem &problem, const RegionOwners &owners) {
  bool any = std::any_of(owners.begin(), owners.end(), isCallers);
  for (Buffer &buffer : problem.buffers) {
    if (!any || buffer.fixedRegion)
      continue;
    bool ours = buffer.role == planner::Role::internal || buffer.role == planner::Role::scratch;
    for (size_t r = 0; r < owners.size(); ++r)
      if (!isCallers(owners[r]) || (ours && owners[r] == IoMode::callerConsumable))
        buffer.regions.push_back(static_cast<int>(r));
  }
}

int64_t aotc::ownBytes(const Plan &plan, const RegionOwners &owners) {
  int64_t bytes = 0;
  for (size_t r = 0; r < owners.size(); ++r)
    bytes += isCallers(owners[r]) ? 0 : plan.heights[r];
  return bytes;
}

namespace {

/// Plans with the regions that `kept` names; those left out hold their tensor.
Plan solvePart(const Problem &problem, const RegionOwners &owners, const std::vector<bool> &kept,
               const planner::PlannerOptions &options) {
  Plan plan;
  plan.heights.assign(problem.regions.size(), 0);
  plan.placements.resize(problem.buffers.size());
  plan.overlaps.assign(problem.mayOverlap.size(), planner::Overlap::none);
  std::vector<bool> planned(problem.buffers.size(), true);
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    const Buffer &buffer = problem.buffers[b];
    if (!buffer.fixedRegion || kept[*buffer.fixedRegion])
      continue;
    planned[b] = false;
    int region = *buffer.fixedRegion;
    plan.placements[b] = {region, buffer.fixedOffset.value_or(0)};
    plan.heights[region] = std::max(plan.heights[region], plan.placements[b].offset + buffer.size);
  }
  int64_t left = plan.totalHeight();

  planner::SubProblem part(problem, planned);
  part.problem.regions.clear();
  std::vector<int> regionOf, numberOf(problem.regions.size(), -1); // part to whole and back
  for (size_t r = 0; r < problem.regions.size(); ++r)
    if (kept[r]) {
      numberOf[r] = static_cast<int>(regionOf.size());
      regionOf.push_back(static_cast<int>(r));
      part.problem.regions.push_back(problem.regions[r]);
      // What fits into the caller's memory does not go into ours.
      part.problem.regions.back().cost += !isCallers(owners[r]);
    }
  for (Buffer &buffer : part.problem.buffers) {
    std::erase_if(buffer.regions, [&](int region) { return !kept[region]; });
    for (int &region : buffer.regions)
      region = numberOf[region];
    if (buffer.fixedRegion)
      buffer.fixedRegion = numberOf[*buffer.fixedRegion];
  }

  Plan own = planner::solve(part.problem, options);
  for (size_t b = 0; b < part.buffers.size(); ++b)
    plan.placements[part.buffers[b]] = {regionOf[own.placements[b].region],
                                        own.placements[b].offset};
  for (size_t r = 0; r < part.rules.size(); ++r)
    plan.overlaps[part.rules[r]] = own.overlaps[r];
  for (size_t r = 0; r < regionOf.size(); ++r)
    plan.heights[regionOf[r]] = own.heights[r];
  for (planner::Shortage shortage : own.shortages) {
    shortage.region = regionOf[shortage.region];
    plan.shortages.push_back(shortage);
  }
  plan.feasible = own.feasible;
  plan.nodes = own.nodes;
  plan.optimal = own.optimal;
  plan.bound = own.bound + left;
  return plan;
}

} // namespace

Plan aotc::solveWithCallers(const Problem &problem, const RegionOwners &owners,
                            const planner::PlannerOptions &options) {
  std::vector<bool> own, consumed;
  for (IoMode owner : owners) {
    own.push_back(!isCallers(owner));
    consumed.push_back(owner != IoMode::caller);
  }
  if (own == std::vector<bool>(own.size(), true))
    return planner::solve(problem, options);
  Plan apart = solvePart(problem, owners, own, options);
  if (own == consumed)
    return apart;
  Plan together = solvePart(problem, owners, consumed, options);
  auto cost = [&](const Plan &plan) { return std::pair(!plan.feasible, ownBytes(plan, owners)); };
  if (cost(together) < cost(apart))
    return together;
  // The bound of a problem that leaves the consumable regions alone holds for
  // that problem only.
  apart.bound = together.bound;
  apart.optimal = apart.feasible && apart.totalHeight() == apart.bound;
  return apart;
}
