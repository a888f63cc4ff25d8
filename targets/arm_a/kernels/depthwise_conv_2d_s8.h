// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of DEPTHWISE_CONV_2D, int8, for NEON, shared by host and device.
//
// layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
// data[0]: weights: for each group of eight channels eight of every tap, an even
//          number of taps; absent ones are 0.
// data[1]: words of the channels (requantize_s8.h), an even number of groups.
// data[2]: where in scratch the taps of a pixel are, int32, as many as weights.
// scratch: int8 (pixel_block.h).
#pragma once

#include "targets/generic/kernels/pixel_block.h"

struct aotc_depthwise_conv_2d_neon_shape {
  aotc_pixel_block_shape block;
  int32_t requantize; ///< AOTC_NEON_REQUANTIZE_*
  int32_t pairs;      ///< 16 bits hold the sums of two taps' products
};

/// Pixels of a block.
enum { AOTC_DEPTHWISE_NEON_PIXELS = 4 };
