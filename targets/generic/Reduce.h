// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the portable MEAN, which variants for instruction sets reuse.
#pragma once

#include "targets/Kernel.h"

namespace aotc::mean_s8 {
/// Shape and layer words as in kernels/reduce.h; no data.
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
} // namespace aotc::mean_s8
