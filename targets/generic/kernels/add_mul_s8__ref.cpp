// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD and MUL, int8, as TFLite's reference kernels: every rescale rounds twice.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/fixed_point.h"

AOTC_KERNEL_FN(aotc_add_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_add_s8_layer);
  // 9 bits + 20 bits fit; both terms are at most half as large again.
  auto add = [&](int8_t lhs, int8_t rhs) {
    int32_t l = (lhs - layer.lhs_zero_point) * (1 << AOTC_ADD_S8_LEFT_SHIFT);
    int32_t r = (rhs - layer.rhs_zero_point) * (1 << AOTC_ADD_S8_LEFT_SHIFT);
    int32_t sum = aotc_multiply_right(l, layer.lhs_mantissa, layer.lhs_shift) +
                  aotc_multiply_right(r, layer.rhs_mantissa, layer.rhs_shift);
    int32_t result =
        aotc_multiply_right(sum, layer.out_mantissa, layer.out_shift) +
        layer.out_zero_point;
    return (int8_t)aotc_clamp(result, layer.min, layer.max);
  };
  aotc_binary_loop(shape, static_cast<const int8_t *>(in[0]),
                   static_cast<const int8_t *>(in[1]),
                   static_cast<int8_t *>(out[0]), descending, add);
}

AOTC_KERNEL_FN(aotc_mul_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_mul_s8_layer);
  auto mul = [&](int8_t lhs, int8_t rhs) {
    int32_t product =
        (lhs - layer.lhs_zero_point) * (rhs - layer.rhs_zero_point);
    // The rescaled product may be as large as an int32: the sum wraps.
    int32_t result = aotc_wrap(
        (uint32_t)aotc_multiply(product, layer.mantissa, layer.shift) +
        (uint32_t)layer.out_zero_point);
    return (int8_t)aotc_clamp(result, layer.min, layer.max);
  };
  aotc_binary_loop(shape, static_cast<const int8_t *>(in[0]),
                   static_cast<const int8_t *>(in[1]),
                   static_cast<int8_t *>(out[0]), descending, mul);
}
