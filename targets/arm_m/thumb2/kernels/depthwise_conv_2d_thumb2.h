// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of DEPTHWISE_CONV_2D 3x3 for Armv7-M, shared by host and device.
#pragma once

#include "targets/arm_m/thumb2/kernels/thumb2_stream.h"

/// data: per channel nine halfwords, weights times 256, and one of padding; the
/// tail's words: mantissa, round (aotc_thumb2_fit) or mantissa, add, right, 2*bias
/// (aotc_thumb2_away), of sums over signed inputs. Then a pixel of zero points.
struct aotc_depthwise_conv_2d_3x3_thumb2_shape {
  int32_t stride;   ///< horizontal, 1 or 2
  int32_t pixels;   ///< outputs computed together: 3 to 5; stride 2: 3 or 4
  int32_t stride_h; ///< vertical
  int32_t tail, up; ///< fit or away, its shift
};
/// out_w is not below `pixels`, at most one column is missing on either side.
struct aotc_depthwise_conv_2d_3x3_thumb2_layer {
  int32_t in_w, channels, pad_left, out_w;
};
