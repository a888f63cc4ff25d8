// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVERAGE_POOL_2D and MAX_POOL_2D, int8, AVX2.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/pool_2d_s8.h"

AOTC_KERNEL_FN(aotc_average_pool_2d_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  pool_rows<average_bytes>(shape, layer, in, out, rows, descending);
}

AOTC_KERNEL_FN(aotc_max_pool_2d_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  pool_rows<maximum_bytes>(shape, layer, in, out, rows, descending);
}
