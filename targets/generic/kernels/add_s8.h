// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One sum of the int8 ADD, as TFLite's reference kernel: every rescale rounds
// twice. Shared by device code and by host sides that look for a shorter form.
#pragma once

#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/fixed_point.h"

/// aotc_multiply_right for |x| below 2^28 and a negative shift: adding the
/// rounding cannot overflow. It is a half, one less if x is negative.
struct aotc_small_multiplier {
  int32_t mantissa, exponent, half;

  aotc_small_multiplier(int32_t mantissa, int32_t shift)
      : mantissa(mantissa), exponent(-shift), half(1 << (exponent - 1)) {}
  int32_t operator()(int32_t x) const {
    x = aotc_doubling_high_mul_mantissa(x, mantissa);
    return (x + half + (x >> 31)) >> exponent;
  }
};

struct aotc_adder_s8 {
  aotc_add_s8_layer p;
  int32_t lhs_half, rhs_half;
  aotc_small_multiplier lhs_scale, rhs_scale, out_scale;

  aotc_adder_s8(const aotc_add_s8_shape &shape, const aotc_add_s8_layer &layer)
      : p(layer), lhs_half(shape.lhs_half), rhs_half(shape.rhs_half),
        lhs_scale(p.lhs_mantissa, p.lhs_shift), rhs_scale(p.rhs_mantissa, p.rhs_shift),
        out_scale(p.out_mantissa, p.out_shift) {}

  int8_t operator()(int8_t lhs, int8_t rhs) const {
    const int32_t one = 1 << AOTC_ADD_S8_LEFT_SHIFT;
    // Differences of 9 bits, shifted by 20, times 1/2 at most: below 2^27.
    int32_t l = lhs - p.lhs_zero_point, r = rhs - p.rhs_zero_point;
    l = lhs_half ? l * (one / 2) : lhs_scale(l * one);
    r = rhs_half ? r * (one / 2) : rhs_scale(r * one);
    return (int8_t)aotc_clamp(out_scale(l + r) + p.out_zero_point, p.min, p.max);
  }
};
