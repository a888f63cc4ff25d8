// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of CONV_2D, int8, for NEON, shared by host and device, and the loop
// over blocks of pixels.
//
// layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
// data[0]: weights. neon: for each group of four output channels, each run and 16
//          of its elements: 16 weights of each channel. neon_dot: for each group
//          of sixteen (the last: of four, eight or twelve), each run and four of
//          its elements: four weights of each channel. Absent ones are 0.
// data[1]: words of the channels (requantize_s8.h).
// scratch: int8 (pixel_block.h).
#pragma once

#include "targets/generic/kernels/pixel_block.h"

struct aotc_conv_2d_neon_shape {
  aotc_pixel_block_shape block;
  int32_t requantize; ///< AOTC_NEON_REQUANTIZE_*
  int32_t pairs;      ///< neon: 16 bits hold the sums of products 8 elements apart
};

/// Pixels of a block; elements of a run that are read at once.
enum { AOTC_CONV_2D_NEON_PIXELS = 4, AOTC_CONV_2D_NEON_VECTOR = 16 };
