// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the int8 convolutions for Armv8.1-M with Helium, shared by host
// and device. Sizes are layer words: layers of all sizes share one function.
#pragma once

#include "targets/arm_m/mve/kernels/mve_stream.h"

/// data: the stream in groups of four.
struct aotc_conv_2d_mve_shape {
  int32_t steps; ///< the body: 1 ... 5 steps of 16 taps; 6 ... 9: that many and 4 per turn
  int32_t tail;
};
/// Any window without groups: it is gathered in runs of neighbouring bytes.
struct aotc_conv_2d_mve_layer {
  int32_t kernel_h, dilation_h, stride_h;
  int32_t runs;     ///< of a window row
  int32_t run;      ///< bytes of a run
  int32_t run_step; ///< bytes from run to run
  int32_t width;    ///< bytes of an input row
  int32_t step;     ///< bytes from window to window
  int32_t pad_left; ///< bytes
  int32_t taps;     ///< bytes of a gathered window, a multiple of 16
  int32_t turns;    ///< of the body's loop
  int32_t pixels;   ///< windows gathered at once, even
  int32_t whole;    ///< neighbouring windows are neighbouring bytes
  int32_t out_w, out_c;
  int32_t stream_bytes;
  int32_t in_zero_point;
  aotc_mve_output output;
};
