// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD and MUL, int8, as TFLite's reference kernels: every rescale rounds twice.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/add_s8.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/fixed_point.h"

AOTC_KERNEL_FN(aotc_add_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_add_s8_shape, aotc_add_s8_layer);
  // A copy: results may alias the parameters as far as the compiler knows.
  const aotc_adder_s8 add(shape, layer);
  aotc_binary_loop(shape.loops, static_cast<const int8_t *>(in[0]),
                   static_cast<const int8_t *>(in[1]), static_cast<int8_t *>(out[0]), descending,
                   [&](int8_t lhs, int8_t rhs) { return add(lhs, rhs); });
}

AOTC_KERNEL_FN(aotc_mul_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_mul_s8_layer);
  const aotc_mul_s8_layer p = layer;
  auto mul = [&](int8_t lhs, int8_t rhs) {
    int32_t product = (lhs - p.lhs_zero_point) * (rhs - p.rhs_zero_point);
    // The rescaled product may be as large as an int32: the sum wraps.
    int32_t result = aotc_wrap((uint32_t)aotc_multiply(product, p.mantissa, p.shift) +
                               (uint32_t)p.out_zero_point);
    return (int8_t)aotc_clamp(result, p.min, p.max);
  };
  aotc_binary_loop(shape, static_cast<const int8_t *>(in[0]), static_cast<const int8_t *>(in[1]),
                   static_cast<int8_t *>(out[0]), descending, mul);
}
