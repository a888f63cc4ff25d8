// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of DEPTHWISE_CONV_2D 3x3 for Armv6-M, shared by host and device.
#pragma once

#include "targets/arm_m/thumb1/kernels/thumb1_stream.h"

/// data: per channel the first value of the sum, the weights of each row in bytes
/// 0, 1 and 3 of a word, what a missing first and a missing last column add, the
/// tail; a pixel of zero points.
struct aotc_depthwise_conv_2d_3x3_thumb1_shape {
  int32_t stride;   ///< horizontal, 1 or 2
  int32_t pixels;   ///< outputs computed together: 1 to 6; stride 2 or split: to 4
  int32_t stride_h; ///< vertical
  int32_t tail;
};
/// out_w is not below `pixels`, at most one column is missing on either side.
struct aotc_depthwise_conv_2d_3x3_thumb1_layer {
  int32_t in_w, channels, pad_left, out_w;
};

/// Words of a channel.
static inline int32_t aotc_depthwise_3x3_thumb1_words(int32_t tail) {
  return 6 + aotc_thumb1_tail_words(tail);
}
