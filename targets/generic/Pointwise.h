// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fast 1x1 convolutions share on the host: when a CONV_2D is one, and
// how its input and output may overlap.
#pragma once

#include "targets/Kernel.h"

namespace aotc {

/// "" if `op` is an int8 CONV_2D with a kernel of 1x1, any stride, one group
/// and no padding, else the reason.
std::string rejectPointwiseS8(const OperatorDesc &op);

/// Pixels between two that a row reads, and pixels of an output row (all, where
/// `call` merges them into one).
struct PointwiseRow {
  int32_t pixels, stride;
};
PointwiseRow pointwiseRow(const OperatorDesc &op, const KernelCall &call);

} // namespace aotc
