// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, NEON: eight outputs, sixteen inputs at a time.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/fully_connected_s8.h"

AOTC_KERNEL_FN(aotc_fully_connected_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_neon_shape, aotc_fully_connected_s8_layer);
  multiply_rows(shape, layer, pair_products{shape.pairs}, in[0], out[0], data, descending);
}
