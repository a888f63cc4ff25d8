// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models of the shared test data ($AOTC_SHARED, else ../shared beside the
// project) that the importer takes.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <string>

namespace aotc::test {

/// Where the data is, whether it exists or not.
std::string sharedFolder();

/// Calls `visit` with the path below the shared folder, the module, and the
/// messages emitted so far on its context, which grow as passes run. Returns
/// the number of models; prints "skipped: needs …" and returns 0 without data.
int forEachSharedModel(
    llvm::ArrayRef<llvm::StringRef> folders,
    llvm::function_ref<void(const std::string &, mlir::ModuleOp, const std::vector<std::string> &)>
        visit);

} // namespace aotc::test
