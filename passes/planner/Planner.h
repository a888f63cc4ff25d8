// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner: offsets for the buffers of a Problem so that the arena is as
// small as it can be shown to be. Deterministic: fixed orders, integers only,
// and limits that count work, never time.
#pragma once

#include "passes/planner/Problem.h"
#include "passes/planner/Progress.h"

namespace aotc::planner {

struct PlannerOptions {
  /// Exact search: nodes, and visits of a pair of buffers, before it gives up
  /// and the best plan so far stands. 0 nodes: heuristics only.
  int64_t nodeLimit = 500'000;
  int64_t visitLimit = 20'000'000;
  ProgressCallback progress; ///< may be empty

  /// The default limits times `effort`; 0: heuristics only.
  static PlannerOptions ofEffort(int64_t effort);
};
inline constexpr int64_t kMaxEffort = 1000;

/// Precondition: checkProblem(problem) (Validator.h) is empty. The plan is
/// always complete, and the same whatever the order of buffers and rules, if no
/// two equal buffers have one name; it is invalid (Validator.h says how) only if what the
/// problem fixes is contradictory or a capacity was not met.
/// An output shares bytes with at most one of its inputs, and all overlaps
/// that end at one step run in one direction.
Plan solve(const Problem &problem, const PlannerOptions &options = {});

/// Most bytes that input and output of those sizes can have in common.
int64_t mostShared(const MayOverlap &rule, int64_t input, int64_t output);

/// What two rules of one pair allow that must both hold; none: nothing, or
/// nothing with a multiple in range.
std::optional<MayOverlap> both(const MayOverlap &a, const MayOverlap &b);

/// The plan with these placements (by buffer), as a saved file has them:
/// directions, heights and bound are derived. Whether it is valid, the
/// validator says.
Plan planOf(const Problem &problem, const std::vector<Placement> &placements);

/// No plan's heights sum to less: at some step that many bytes are live, what
/// a legal overlap could save taken off.
int64_t lowerBound(const Problem &problem);

} // namespace aotc::planner
