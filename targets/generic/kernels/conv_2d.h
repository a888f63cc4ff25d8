// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the CONV_2D row kernels, shared by host and device.
#pragma once

#include "targets/generic/kernels/window.h"

struct aotc_conv_2d_shape : aotc_window {
  int32_t groups;      ///< divides in_c and out_c
  int32_t padded;      ///< some tap lies outside the image, in a row or column
  int32_t has_bias;    ///< f32; s8 always reads the folded bias
  int32_t per_channel; ///< s8: out_c multipliers, else one
  int32_t left_shift;  ///< s8: some multiplier shifts left
};

/// data: weights OHWI; bias[out_c], from which input zero point * sum of the
/// filter's weights is subtracted, so that present taps need no offset and
/// absent ones add zero point * weight; multipliers.
struct aotc_conv_2d_s8_layer {
  int32_t in_zero_point, out_zero_point;
  int32_t act_min, act_max;
};

/// data: weights OHWI; bias[out_c] if has_bias.
struct aotc_conv_2d_f32_layer {
  int32_t act_min_bits, act_max_bits;
};
