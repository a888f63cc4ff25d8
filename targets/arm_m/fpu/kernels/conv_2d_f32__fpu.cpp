// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, float32, scalar FPU of Cortex-M.
#include "targets/arm_m/kernels/conv_2d_f32.h"

AOTC_KERNEL_FN(aotc_conv_2d_f32__fpu) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_f32_arm_m_shape, aotc_conv_2d_f32_arm_m_layer);
  convolve(shape, layer, in, out, data, scratch, rows, descending);
}
