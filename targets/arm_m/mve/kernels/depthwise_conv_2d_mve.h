// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of DEPTHWISE_CONV_2D for Armv8.1-M with Helium, shared by host and
// device.
#pragma once

#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/arm_m/mve/kernels/mve_stream.h"

/// data: the stream, per 16 channels: 16 weights of each tap, before those of the
/// third the bias, then the tail's other vectors; vectors for channels 0 4 8 12, then 2 6 10 14, 1
/// 5 9 13, 3 7 11 15; fewer channels are repeated as far as 16 have room. Then a pixel of zero
/// points, at least 16.
struct aotc_depthwise_conv_2d_3x3_mve_shape {
  int32_t tail;
  int32_t channels_16; ///< `pixels` pixels are 16 channels
  int32_t stride_h;    ///< vertical
};
struct aotc_depthwise_conv_2d_3x3_mve_layer {
  int32_t in_w, channels, stride, pad_left, out_w;
  int32_t pixels; ///< neighbouring ones in a vector
  aotc_mve_output output;
};

/// Any window; shape: aotc_depthwise_window_shape; `window` comes first.
struct aotc_depthwise_conv_2d_mve_layer {
  aotc_depthwise_window_layer window;
  aotc_mve_output output;
};
