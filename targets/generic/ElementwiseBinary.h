// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the portable ADD, which variants for instruction sets reuse.
#pragma once

#include "targets/Kernel.h"

namespace aotc::add_s8 {
/// Shape and layer words as in kernels/elementwise.h; no data.
std::string reject(const OperatorDesc &op);
/// The same for variants whose operands are as long as the result.
std::string rejectRepeated(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace aotc::add_s8
