// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/kernels/mean_s8.h"

AOTC_KERNEL_FN(aotc_mean_s8__thumb2) {
  AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_s8_layer);
  aotc_mean_of_columns(shape, layer, in, out, descending);
}
