// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MUL, int8, NEON.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/mul_s8_lanes.h"

AOTC_KERNEL_FN(aotc_mul_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_mul_s8_layer);
  multiply_bytes(shape, layer, in, out, descending);
}
