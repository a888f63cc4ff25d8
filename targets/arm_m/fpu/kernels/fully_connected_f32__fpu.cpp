// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, scalar FPU of Cortex-M.
#include "targets/arm_m/kernels/fully_connected_f32.h"

AOTC_KERNEL_FN(aotc_fully_connected_f32__fpu) {
  AOTC_KERNEL_ARGS(char, aotc_fully_connected_f32_arm_m_layer);
  multiply(layer, in[0], out[0], data[0], descending);
}
