// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Int8 layers that look for trouble in fast variants: every zero point, tails of
// channels and pixels, strides, borders, extreme weights, multipliers and
// biases.
#pragma once

#include "Cases.h"

namespace aotc::test {

/// The index-th 1x1 convolution; equal indices give equal cases. Cases 0 … 255
/// have input zero point index - 128, and output zero point 127 - index.
std::unique_ptr<Case> pointwiseCase(uint32_t index);

/// The same for other layers. `op`: "conv_2d" (windows up to 5x5, every other
/// one 3 wide), "depthwise_conv_2d", "fully_connected".
std::unique_ptr<Case> layerCase(llvm::StringRef op, uint32_t index);

} // namespace aotc::test
