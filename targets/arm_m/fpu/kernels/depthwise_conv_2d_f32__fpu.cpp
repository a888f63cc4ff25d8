// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, scalar FPU of Cortex-M.
#include "targets/arm_m/kernels/depthwise_conv_2d_f32.h"

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_f32__fpu) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_f32_arm_m_shape, aotc_depthwise_conv_2d_f32_arm_m_layer);
  convolve_depthwise(shape, layer, in, out, data, scratch, rows, descending);
}
