// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the portable kernels would do: their host sides know the reference's
// arithmetic.
#pragma once

#include "compiler/ir/NNDialect.h"
#include "targets/Kernel.h"

#include <optional>

namespace aotc::simplify {

/// The call of the portable kernel; nothing where there is none (`lower` says why).
std::optional<KernelCall> portableCall(const OperatorDesc &desc);

/// The 256 results by the operand's byte, read without sign, if `op` is a function
/// of one byte; else empty.
std::vector<char> byteTable(mlir::Operation *op);

} // namespace aotc::simplify
