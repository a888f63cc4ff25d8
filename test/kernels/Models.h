// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Straightforward models of operators, written from TFLite's semantics with
// wide integers and doubles, sharing nothing with the kernels.
#pragma once

#include "Cases.h"

#include <vector>

namespace aotc::test {

/// The expected output in doubles (integers exactly), for conv_2d,
/// depthwise_conv_2d, fully_connected, average_pool_2d, max_pool_2d in s8 and
/// f32; float results are of unbounded precision.
std::vector<double> expectedOutput(const Case &c);

/// TFLite's requantisation of an accumulator: real multiplier, two roundings.
int64_t modelRequantize(int32_t accumulator, double multiplier);

} // namespace aotc::test
