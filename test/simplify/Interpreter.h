// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs an nn function operator by operator through the portable kernels.
#pragma once

#include "compiler/ir/NNDialect.h"

#include <vector>

namespace aotc::test {

/// The bytes of the function's results for those of its arguments. Fails the
/// running test where an operator has no portable kernel.
std::vector<std::vector<char>> interpret(mlir::func::FuncOp function,
                                         const std::vector<std::vector<char>> &arguments);

} // namespace aotc::test
