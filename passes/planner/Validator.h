// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent check of problems and plans. Uses nothing of the planner but the
// plain structs, so that an error there cannot hide here.
#pragma once

#include "passes/planner/Problem.h"

namespace aotc::planner {

/// What is wrong with the problem itself (sizes, indices, lifetimes); empty if
/// it can be planned.
std::vector<std::string> checkProblem(const Problem &problem);

/// What the plan violates, one sentence each; empty if it is correct.
/// Precondition: checkProblem(problem) is empty.
std::vector<std::string> checkPlan(const Problem &problem, const Plan &plan);

} // namespace aotc::planner
