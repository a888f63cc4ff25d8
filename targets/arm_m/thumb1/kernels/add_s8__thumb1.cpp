// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/kernels/add_linear.h"

AOTC_KERNEL_FN(aotc_add_s8__thumb1) {
  AOTC_KERNEL_ARGS(aotc_add_linear_shape, aotc_add_linear_layer);
  aotc_add_linear(shape, layer, in, out, descending);
}
