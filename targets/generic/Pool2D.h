// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the portable pools; variants for instruction sets reuse it.
#pragma once

#include "targets/Kernel.h"

namespace aotc::pool_2d_s8 {

/// Any int8 AVERAGE_POOL_2D or MAX_POOL_2D the portable kernel runs; no data.
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);

} // namespace aotc::pool_2d_s8

namespace aotc::average_pool_2d_s8_lanes {

/// AVERAGE_POOL_2D whose sums stand in lanes of 16 bits; MAX_POOL_2D is as above.
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);

} // namespace aotc::average_pool_2d_s8_lanes
