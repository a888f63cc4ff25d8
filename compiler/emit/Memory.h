// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the report says about memory beyond offsets and lifetimes: which tensor
// lies where, who shares bytes with whom and why, what each layer occupies.
#pragma once

#include "compiler/ir/InstrDialect.h"
#include "compiler/support/ModelInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace aotc {

/// Fills `tensors`, `peakStep`, every buffer's `shares` and every layer's
/// footprint and height. Buffers and layers must be complete, in the order of `main`'s allocs
/// and computing instructions.
void describeMemory(mlir::func::FuncOp main, ModelInterface &model);

} // namespace aotc
