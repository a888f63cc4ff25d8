// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one byte, which the portable kernel reads from a table.
#pragma once

#include "targets/Kernel.h"

namespace aotc {

/// The 256 results by the operand's byte, read without sign, if the call
/// computes nothing else; else empty.
llvm::ArrayRef<char> tableOf(const KernelCall &call);

} // namespace aotc
