// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the int8 convolutions for Armv7-M, shared by host and device.
// Sizes are layer words: layers of all sizes share one function.
#pragma once

#include "targets/arm_m/thumb2/kernels/thumb2_stream.h"

/// data: the stream; a pixel of zero points; aotc_thumb2_general: bias - 128 * sum
/// of weights, multipliers.
struct aotc_conv_2d_thumb2_shape {
  int32_t tail, up; ///< aotc_thumb2_tail, its shift
};
struct aotc_conv_2d_thumb2_layer {
  int32_t kernel_h, kernel_w;
  int32_t dilation_h, dilation_w, stride_h, stride_w;
  int32_t in_w, in_c, pad_left; ///< in_w: all pixels, where they are one row
  int32_t out_w, out_c;
  int32_t taps;                                          ///< a multiple of aotc_thumb2_turn
  int32_t per_channel, out_zero_point, act_min, act_max; ///< aotc_thumb2_general
};
