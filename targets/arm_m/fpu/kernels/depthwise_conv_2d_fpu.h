// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the float DEPTHWISE_CONV_2D for a scalar FPU, shared by host
// and device.
#pragma once

#include "targets/arm_m/fpu/kernels/conv_fpu.h"

struct aotc_depthwise_conv_2d_fpu_shape {
  int32_t padded; ///< some tap lies outside the image, in a row or column
};

/// data: for each four channels biases, then weights, for each tap four
/// channels, absent ones 0; if padded, `channels` zeros.
/// scratch: four output pixels, if they have more than four channels; a pointer
/// to each tap of four pixels.
struct aotc_depthwise_conv_2d_fpu_layer {
  int32_t in_w, channels; ///< pixels of an input row, channels of a pixel
  int32_t out_w;
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t pad_left; ///< pixels
  int32_t act_min_bits, act_max_bits;
};
