// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD and MUL, float32, with a fused clamp. A NaN stays a NaN.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/math.h"

AOTC_KERNEL_FN(aotc_add_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_float_clamp_layer);
  float min = aotc_float_of_bits(layer.min), max = aotc_float_of_bits(layer.max);
  aotc_binary_loop(shape, static_cast<const float *>(in[0]), static_cast<const float *>(in[1]),
                   static_cast<float *>(out[0]), descending,
                   [&](float lhs, float rhs) { return aotc_clamp_f32(lhs + rhs, min, max); });
}

AOTC_KERNEL_FN(aotc_mul_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_float_clamp_layer);
  float min = aotc_float_of_bits(layer.min), max = aotc_float_of_bits(layer.max);
  aotc_binary_loop(shape, static_cast<const float *>(in[0]), static_cast<const float *>(in[1]),
                   static_cast<float *>(out[0]), descending,
                   [&](float lhs, float rhs) { return aotc_clamp_f32(lhs * rhs, min, max); });
}
