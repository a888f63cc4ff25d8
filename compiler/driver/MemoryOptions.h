// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory the user gives a model, and where its inputs and outputs lie: from
// the options to the IR.
#pragma once

#include "compiler/driver/Options.h"
#include "compiler/support/IoMode.h"

#include "mlir/IR/BuiltinOps.h"

#include <utility>

namespace aotc {

/// "caller" or "NAME=caller" into name (empty: all) and mode (nothing: none). A
/// name may hold '='.
std::pair<llvm::StringRef, std::optional<IoMode>> splitIoMode(llvm::StringRef text);

/// Writes the options' regions on the functions and the modes of inputs and outputs
/// on the allocs of a lowered module. Fails, with a diagnostic that lists the
/// names, if a mode names no input or output.
mlir::LogicalResult writeMemoryOptions(mlir::ModuleOp module, const CompileOptions &options);

} // namespace aotc
