// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the 3x3 DEPTHWISE_CONV_2D, int8, for NEON, shared by host and
// device. Channels are a multiple of eight.
//
// layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
// data[0]: weights: for each group of eight channels eight of every tap, and
//          eight more.
// data[1]: words of the channels (requantize_s8.h).
// scratch: if padded, eight channels of the inputs of a block.
#pragma once

#include <stdint.h>

struct aotc_depthwise_conv_2d_3x3_neon_shape {
  int32_t in_w, channels; ///< pixels of an input row, channels of a pixel
  int32_t out_w;
  int32_t stride_h, stride_w;
  int32_t pad_left;   ///< pixels
  int32_t padded;     ///< some tap lies outside the image, in a row or column
  int32_t block;      ///< output pixels computed at once, at most out_w; the last
                      ///< block of a row moves back into it
  int32_t requantize; ///< AOTC_NEON_REQUANTIZE_*
  int32_t pairs;      ///< 16 bits hold the sums of two taps' products
};

/// Of a block, at most.
enum { AOTC_DEPTHWISE_3X3_NEON_PIXELS = 5 };
