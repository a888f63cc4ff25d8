// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on the instruction dialect (Passes.td, README.md). All run on
// func.func; `create<Name>` and an options struct are generated for each.
#pragma once

#include "compiler/ir/InstrDialect.h"
#include "compiler/support/ShareMode.h"
#include "passes/planner/Order.h"
#include "passes/planner/Planner.h"

#include "mlir/Pass/Pass.h"

namespace aotc {

/// The direction to which share-buffers restricts the kernels.
enum class ShareDirection { any, ascending, descending };

#define GEN_PASS_DECL
#include "passes/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "passes/Passes.h.inc"

} // namespace aotc
