// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader of .tflite files.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace aotc {

/// Reads a model into one `func.func @main` of `nn` operations, in a verified
/// module: every tensor statically shaped, named by `nn.name` / `nn.tensor`
/// (arguments and results) and `origin` (operations). `bytes` need not outlive
/// the call. After an error, null: all problems have then been emitted on the
/// context's diagnostic engine, one error each, starting with "unsupported:"
/// or "invalid model:". Never crashes or allocates out of proportion on any
/// bytes.
mlir::OwningOpRef<mlir::ModuleOp> importTFLite(mlir::MLIRContext &context, llvm::StringRef bytes,
                                               llvm::StringRef fileName);

} // namespace aotc
