// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, AVX-512.
#include "targets/x86/kernels/depthwise_conv_2d_f32.h"

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_f32__avx512) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_x86_shape, aotc_conv_2d_f32_layer);
  convolve<16>(shape, layer, in, out, data, scratch, rows, descending);
}
