// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of kernels/requantize_s8.h, and what else layers for NEON share.
#pragma once

#include "targets/generic/Channels.h"
#include "targets/generic/kernels/pixel_block.h"

namespace aotc::neon {

/// AOTC_NEON_REQUANTIZE_*: the cheapest that gives the reference's bits. The
/// activation cuts results below `min`.
int32_t requantization(const std::vector<IntChannel> &channels, int32_t zeroPoint, int32_t min);

/// The words of all channels, in groups of four; absent ones are 0.
KernelData channelWords(const std::vector<IntChannel> &channels, int64_t multiple = 4);

/// True if 16 bits hold the sums of products of any int8 inputs with those two
/// weights that lie `distance` apart in every 2 * `distance`.
bool pairsFit(llvm::ArrayRef<char> weights, size_t distance);

/// Where in scratch the taps of a depthwise layer's pixel are; those past the last
/// one repeat it.
KernelData tapOffsets(const aotc_pixel_block_shape &block, int64_t count);

} // namespace aotc::neon
