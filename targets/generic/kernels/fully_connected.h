// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the FULLY_CONNECTED kernels (flat), shared by host and device.
#pragma once

#include <stdint.h>

struct aotc_fully_connected_shape {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
  int32_t has_bias;         ///< f32; s8 always reads a bias
  int32_t constant_weights; ///< 1: the last data blob, 0: in[1]
  int32_t offsets;          ///< s8: 1: subtract both zero points in the loop; 0: the
                            ///< weights' is 0, the input's is folded into the bias
  int32_t per_channel;      ///< s8: out_c multipliers, else one
  int32_t left_shift;       ///< s8: some multiplier shifts left
};

/// data: bias[out_c]; multipliers; weights [out_c][in_c] if constant.
struct aotc_fully_connected_s8_layer {
  int32_t in_zero_point, weights_zero_point, out_zero_point;
  int32_t act_min, act_max;
};

/// data: bias[out_c] if has_bias; weights [out_c][in_c] if constant.
struct aotc_fully_connected_f32_layer {
  int32_t act_min_bits, act_max_bits;
};
