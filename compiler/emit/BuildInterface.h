// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads everything the user is told out of the planned IR.
#pragma once

#include "compiler/emit/Emit.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace aotc {

/// Fills all of ModelInterface but the sizes measured on the object and the
/// layers' functions. Regions are those that hold a buffer, in the function's
/// order. Errors: an alloc without offset or in a region the function does not
/// list, an offset the target cannot address, inputs or outputs whose
/// positions are not 0, 1, 2, …
llvm::Expected<ModelInterface> buildInterface(mlir::func::FuncOp main, const TargetSpec &target,
                                              const EmitOptions &options);

} // namespace aotc
