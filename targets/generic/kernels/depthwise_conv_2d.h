// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the DEPTHWISE_CONV_2D row kernels, shared by host and device.
// Layer structs and data as in conv_2d.h, weights 1HWC.
#pragma once

#include "targets/generic/kernels/conv_2d.h"

struct aotc_depthwise_conv_2d_shape : aotc_window {
  int32_t multiplier;  ///< output channels per input channel
  int32_t padded;      ///< some tap lies outside the image, in a row or column
  int32_t has_bias;    ///< f32; s8 always reads the folded bias
  int32_t per_channel; ///< s8: one requantisation multiplier per output channel
  int32_t left_shift;  ///< s8: some requantisation multiplier shifts left
};
