// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the portable FULLY_CONNECTED; variants for instruction sets
// reuse its checks and constants and repack the weights.
#pragma once

#include "targets/Kernel.h"

namespace aotc {

namespace fully_connected_s8 {
/// Any int8 FULLY_CONNECTED the portable kernel runs; data: bias, multipliers,
/// weights (if constant) as in kernels/fully_connected.h.
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
/// What kernels with repacked weights refuse: also weights that are not constant,
/// or whose zero point is not 0.
std::string rejectPacked(const OperatorDesc &op);
} // namespace fully_connected_s8

namespace fully_connected_f32 {
/// data: bias if there is one, weights (if constant).
std::string reject(const OperatorDesc &op);
llvm::Expected<KernelCall> prepare(const OperatorDesc &op);
/// What kernels with repacked weights refuse: also weights that are not constant.
std::string rejectPacked(const OperatorDesc &op);
} // namespace fully_connected_f32

/// Distances of a kernel that visits rows in either direction, `group` channels at
/// a time first to last; all of a row is read by each group, or (`copied`) before
/// the first.
OverlapRule fullyConnectedOverlap(int64_t rows, int64_t inC, int64_t outC, int64_t group,
                                  bool copied);

} // namespace aotc
