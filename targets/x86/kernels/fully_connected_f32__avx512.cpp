// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, AVX-512.
#include "targets/x86/kernels/fully_connected_f32.h"

AOTC_KERNEL_FN(aotc_fully_connected_f32__avx512) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_x86_shape, aotc_fully_connected_f32_layer);
  multiply<16>(shape, layer, in[0], out[0], data[0], descending);
}
