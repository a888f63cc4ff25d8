// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the user wants a model's inputs and outputs: from names to the IR.
#pragma once

#include "compiler/driver/Options.h"
#include "compiler/support/IoMode.h"

#include "mlir/IR/BuiltinOps.h"

#include <utility>

namespace aotc {

/// "caller" or "NAME=caller" into name (empty: all) and mode (nothing: none). A
/// name may hold '='.
std::pair<llvm::StringRef, std::optional<IoMode>> splitIoMode(llvm::StringRef text);

/// Writes the options' modes on the allocs of a lowered module. Fails, with a
/// diagnostic that lists the names, if one names no input or output.
mlir::LogicalResult writeIoModes(mlir::ModuleOp module, const CompileOptions &options);

} // namespace aotc
