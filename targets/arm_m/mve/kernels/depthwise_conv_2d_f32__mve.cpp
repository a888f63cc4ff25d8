// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, Armv8.1-M with Helium.
#include "targets/arm_m/kernels/depthwise_conv_2d_f32.h"

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_f32__mve) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_f32_arm_m_shape, aotc_depthwise_conv_2d_f32_arm_m_layer);
  convolve_depthwise(shape, layer, in, out, data, scratch, rows, descending);
}
