// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 1x1 int8 convolutions that look for trouble in fast variants: every zero
// point, tails of channels and pixels, strides, extreme weights, multipliers
// and biases.
#pragma once

#include "Cases.h"

namespace aotc::test {

/// The index-th case; equal indices give equal cases. Cases 0 … 255 have input
/// zero point index - 128, and output zero point 127 - index.
std::unique_ptr<Case> pointwiseCase(uint32_t index);

} // namespace aotc::test
