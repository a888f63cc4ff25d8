// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phase `lower` (Passes.td): nn functions become instr functions.
#pragma once

#include "compiler/ir/InstrDialect.h"
#include "compiler/support/Optimize.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace aotc::lower {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/lower/Passes.h.inc"

} // namespace aotc::lower
