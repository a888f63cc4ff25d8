// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning with the caller's own memory: regions of the size of one tensor,
// which is fixed at their start.
#pragma once

#include "compiler/support/IoMode.h"
#include "passes/planner/Planner.h"

namespace aotc {

/// By region of a problem: whose it is. IoMode::arena: a region like any other.
using RegionOwners = std::vector<IoMode>;

/// Says which regions each buffer without a place may lie in: regions of a
/// caller's tensor never, consumable ones if it is internal or scratch.
void allowRegions(planner::Problem &problem, const RegionOwners &owners);

/// Bytes of the regions that are no caller's.
int64_t ownBytes(const planner::Plan &plan, const RegionOwners &owners);

/// As planner::solve(), for the least ownBytes(): the caller's regions are as
/// large as they are. `bound` includes them.
planner::Plan solveWithCallers(const planner::Problem &problem, const RegionOwners &owners,
                               const planner::PlannerOptions &options);

} // namespace aotc
