// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the int8 convolutions for Armv6-M, shared by host and device.
// Sizes are layer words: layers of all sizes share one function.
#pragma once

#include "targets/arm_m/thumb1/kernels/thumb1_stream.h"

/// data of all: the stream; conv_2d_s8_gather: a pixel of zero points.

/// 1x1. Flat where all pixels are one row, else a row kernel.
struct aotc_conv_2d_1x1_thumb1_shape {
  int32_t turn; ///< words of weights per turn of the loop: 2 or 1
  int32_t tail;
  int32_t pixels; ///< of a block: 4 or 2
};
struct aotc_conv_2d_1x1_thumb1_layer {
  int32_t pixels;   ///< of an output row, or all
  int32_t step;     ///< input bytes between two that are read
  int32_t stride_h; ///< input rows between two that are read
  int32_t in_c, out_c;
  int32_t taps;  ///< in_c, rounded up to the turn
  int32_t words; ///< of the stream
};

/// Any window: gathered in runs of neighbouring bytes.
struct aotc_conv_2d_gather_thumb1_shape {
  int32_t turn, tail, pixels;
};
struct aotc_conv_2d_gather_thumb1_layer {
  int32_t kernel_h, dilation_h, stride_h;
  int32_t kernel_w;
  int32_t column_step; ///< input pixels between two columns of a window
  int32_t stride;      ///< input pixels between two windows
  int32_t in_w, in_c, pad_left;
  int32_t out_w, out_c;
  int32_t taps; ///< rounded up to the turn
  int32_t words;
};
