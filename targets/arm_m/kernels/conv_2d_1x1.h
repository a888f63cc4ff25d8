// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the 1x1 convolution for Armv7E-M, shared by host and device.
#pragma once

#include <stdint.h>

/// How accumulators become outputs; chosen by the host for a whole layer.
enum aotc_conv_2d_1x1_rounding : int32_t {
  /// Any multiplier: fixed_point.h as it stands.
  aotc_rounding_any = 0,
  /// Every accumulator below 2^23, every multiplier shifts right by 1 … 22:
  /// half + (acc < 0 ? -1 : 0) is added before the shift, which rounds halves
  /// away from zero.
  aotc_rounding_away = 1,
  /// The same, and halves of negative results end at the lower bound anyway
  /// (out_zero_point <= act_min): no sign correction.
  aotc_rounding_up = 2,
};

struct aotc_conv_2d_1x1_shape {
  int32_t pixels; ///< of an output row
  int32_t in_c, out_c;
  int32_t stride_w; ///< input pixels between two that are read
  int32_t stride_h; ///< input rows between two that are read
  int32_t rounding; ///< aotc_conv_2d_1x1_rounding
  int32_t clamped;  ///< the activation's range is narrower than int8
};

// layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
//
// data[0]: one stream of words. For each pair of output channels u, v (the last
// v of an odd count is all zero):
//   start_uv, start_v    accumulators' first values: 256*U + V and V
//   2 words per 4 input channels c0 … c3: halfwords 256*u + v of (c0, c2), then
//                        of (c1, c3); absent channels are 0
//   6 words              any: mantissa_u, mantissa_v, shift_u, shift_v,
//                        bias_u, bias_v (start_* are 0)
//                        else: mantissa_u, mantissa_v, add_u, add_v, right_u,
//                        right_v with add = half + (zero point << right)
// scratch: 4 bytes per input channel, their count rounded up to 4.
