// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of DEPTHWISE_CONV_2D 3x3 for Armv7E-M, shared by host and device.
#pragma once

#include "targets/arm_m/dsp/kernels/dsp_stream.h"

/// data: per channel 256 * first value of the sum; weights times 256, of each row
/// the halfwords (w0, w1) and (w1, w2); the tail's words: mantissa, round or
/// mantissa, add, right (dsp_stream.h). Sums are 256 times the accumulator.
struct aotc_depthwise_conv_2d_3x3_dsp_shape {
  int32_t stride;   ///< horizontal, 1 or 2
  int32_t pixels;   ///< outputs computed together: 3 to 6; stride 2: 3 or 4
  int32_t stride_h; ///< vertical
  int32_t tail, up; ///< fit or away, its shift
};
/// Channels are a multiple of 4, out_w is not below `pixels`, at most one column
/// is missing on either side.
struct aotc_depthwise_conv_2d_3x3_dsp_layer {
  int32_t in_w, channels, pad_left, out_w;
  int32_t in_zero_point;
};

/// Words per row and channel in scratch: pairs of neighbouring columns.
static inline int32_t aotc_depthwise_pairs(int32_t stride, int32_t pixels) {
  return stride == 1 ? (pixels + 3) / 2 : pixels + 1;
}
