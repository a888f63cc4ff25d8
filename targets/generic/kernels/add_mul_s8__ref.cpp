// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD and MUL, int8, as TFLite's reference kernels: every rescale rounds twice.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/fixed_point.h"

/// aotc_multiply_right for |x| below 2^28 and a negative shift: adding the
/// rounding cannot overflow. It is a half, one less if x is negative.
struct small_multiplier {
  int32_t mantissa, exponent, half;

  small_multiplier(int32_t mantissa, int32_t shift)
      : mantissa(mantissa), exponent(-shift), half(1 << (exponent - 1)) {}
  int32_t operator()(int32_t x) const {
    x = aotc_doubling_high_mul_mantissa(x, mantissa);
    return (x + half + (x >> 31)) >> exponent;
  }
};

AOTC_KERNEL_FN(aotc_add_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_add_s8_shape, aotc_add_s8_layer);
  // Results may alias the parameters as far as the compiler knows.
  const aotc_add_s8_layer p = layer;
  const small_multiplier lhs_scale(p.lhs_mantissa, p.lhs_shift);
  const small_multiplier rhs_scale(p.rhs_mantissa, p.rhs_shift);
  const small_multiplier out_scale(p.out_mantissa, p.out_shift);
  const int32_t one = 1 << AOTC_ADD_S8_LEFT_SHIFT;
  // Differences of 9 bits, shifted by 20, times 1/2 at most: below 2^27.
  auto add = [&](int8_t lhs, int8_t rhs) {
    int32_t l = lhs - p.lhs_zero_point, r = rhs - p.rhs_zero_point;
    l = shape.lhs_half ? l * (one / 2) : lhs_scale(l * one);
    r = shape.rhs_half ? r * (one / 2) : rhs_scale(r * one);
    return (int8_t)aotc_clamp(out_scale(l + r) + p.out_zero_point, p.min, p.max);
  };
  aotc_binary_loop(shape.loops, static_cast<const int8_t *>(in[0]),
                   static_cast<const int8_t *>(in[1]), static_cast<int8_t *>(out[0]), descending,
                   add);
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
