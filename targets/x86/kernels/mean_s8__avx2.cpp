// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEAN, int8, AVX2.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/mean_s8_lanes.h"

AOTC_KERNEL_FN(aotc_mean_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_s8_layer);
  mean_of_columns(shape, layer, in, out, descending);
}
