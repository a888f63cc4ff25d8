// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, NEON with SDOT: eight outputs, sixteen inputs at a time.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/fully_connected_s8.h"

namespace {

/// Adds 16 products to four sums.
struct dot_products {
  AOTC_INLINE int32x4_t operator()(int32x4_t acc, int8x16_t w, int8x16_t x) const {
    return vdotq_s32(acc, w, x);
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__neon_dot) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_neon_shape, aotc_fully_connected_s8_layer);
  multiply_rows(shape, layer, dot_products(), in[0], out[0], data, descending);
}
