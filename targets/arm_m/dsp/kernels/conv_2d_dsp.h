// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the int8 convolutions for Armv7E-M, shared by host and device.
// Sizes are layer words: layers of all sizes share one function.
#pragma once

#include "targets/arm_m/dsp/kernels/dsp_stream.h"

/// data of all: the stream in groups of four; aotc_dsp_general: bias,
/// multipliers; conv_2d_s8_3x3: a pixel of zero points, last.

/// 1x1, input channels a multiple of 8, output channels of 4. Flat where all
/// pixels are one row, else a row kernel.
struct aotc_conv_2d_1x1_dsp_shape {
  int32_t turn;     ///< half-steps per turn of the loop: 8 or 4
  int32_t tail, up; ///< fit or away, its shift
  int32_t stride_h; ///< input rows between two that are read
};
struct aotc_conv_2d_1x1_dsp_layer {
  int32_t pixels; ///< of an output row, or all
  int32_t stride; ///< input pixels between two that are read
  int32_t in_c, out_c;
  int32_t words; ///< of the stream
};

/// kh x 3, horizontal stride 1 or 2, input channels a multiple of 8.
struct aotc_conv_2d_3x3_dsp_shape {
  int32_t stride; ///< horizontal
  int32_t tail, up;
};
struct aotc_conv_2d_3x3_dsp_layer {
  int32_t kernel_h, dilation_h, stride_h;
  int32_t in_w, in_c, pad_left;
  int32_t out_w, out_c;
  int32_t in_zero_point;
  int32_t per_channel, out_zero_point, act_min, act_max; ///< aotc_dsp_general
};

/// Any window: it is gathered in runs of neighbouring bytes, each rounded up to
/// a multiple of four.
struct aotc_conv_2d_gather_dsp_shape {
  int32_t turn; ///< half-steps per turn of the loop
  int32_t tail, up;
};
struct aotc_conv_2d_gather_dsp_layer {
  int32_t kernel_h, dilation_h, stride_h;
  int32_t runs;     ///< of a window row
  int32_t run;      ///< bytes of a run
  int32_t run_step; ///< bytes from run to run
  int32_t width;    ///< bytes of an input row
  int32_t step;     ///< bytes from window to window
  int32_t pad_left; ///< bytes
  int32_t half_steps;
  int32_t out_w, out_c;
  int32_t in_zero_point;
  int32_t per_channel, out_zero_point, act_min, act_max; ///< aotc_dsp_general
};
