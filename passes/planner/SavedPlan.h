// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan from a file: taken as it is, if it is one of this very problem.
#pragma once

#include "passes/planner/Problem.h"

#include <string_view>

namespace aotc::planner {

/// The plan in a CSV text with a column `offset` (Csv.h, as printCsv writes it).
/// None, and the reason in `error`, if the text is malformed, or if its buffers
/// and rules are not those of `problem`: then the first that differs is named.
/// Whether the plan is valid, checkPlan() says.
std::optional<Plan> readPlan(const Problem &problem, std::string_view text, std::string &error);

} // namespace aotc::planner
