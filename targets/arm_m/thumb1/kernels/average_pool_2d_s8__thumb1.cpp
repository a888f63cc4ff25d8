// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/kernels/pool_2d_s8.h"

AOTC_KERNEL_FN(aotc_average_pool_2d_s8__thumb1) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_average_pool_2d_s8_layer);
  aotc_average_pool(shape, layer, in, out, rows, descending);
}
