// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of a function as a planner::OrderProblem: what must run
// before what, and which bytes each touches.
#pragma once

#include "passes/Passes.h"
#include "passes/analysis/Accesses.h"
#include "passes/planner/Order.h"

namespace aotc {

/// Nodes are `accesses.instructions()`. Two instructions keep their order if
/// they touch common bytes and one writes. `mode` says which pairs of a dying
/// input and an output may count as sharing.
planner::OrderProblem orderProblem(const Accesses &accesses, ShareMode mode);

/// The largest footprint in the order as it stands.
int64_t peakOf(mlir::func::FuncOp function, ShareMode mode);

} // namespace aotc
