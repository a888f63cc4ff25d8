// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device side of fixed-point requantisation: gemmlowp's operations, in the
// order and with the two roundings of TFLite's reference kernels. Accumulators
// wrap like the reference's, so sums are formed in uint32_t.
#pragma once

#include <stdint.h>

/// real = mantissa * 2^(shift - 31); see targets/generic/Requantize.h.
struct aotc_multiplier {
  int32_t mantissa;
  int32_t shift;
};

/// Reinterprets a wrapped sum.
static inline int32_t aotc_wrap(uint32_t sum) { return (int32_t)sum; }

static inline int32_t aotc_clamp(int32_t x, int32_t min, int32_t max) {
  x = x < min ? min : x;
  return x > max ? max : x;
}

/// The high half of 2*a*b, rounded. The original adds 2^30 (1 - 2^30 if the
/// product is negative) and divides by 2^31 truncating, which for both signs is
/// floor((a*b + 2^30) / 2^31). Precondition: not both are -2^31; a mantissa is
/// never negative.
static inline int32_t aotc_doubling_high_mul_mantissa(int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a * b + ((int64_t)1 << 30)) >> 31);
}

/// The same for any operands: -2^31 * -2^31 saturates.
static inline int32_t aotc_doubling_high_mul(int32_t a, int32_t b) {
  return a == b && a == INT32_MIN ? INT32_MAX : aotc_doubling_high_mul_mantissa(a, b);
}

/// x / 2^exponent, halves away from zero; 0 <= exponent <= 31.
static inline int32_t aotc_rounding_shift_right(int32_t x, int32_t exponent) {
  int32_t mask = (int32_t)(((uint32_t)1 << exponent) - 1);
  int32_t threshold = (int32_t)((uint32_t)mask >> 1) + (x < 0);
  return (x >> exponent) + ((x & mask) > threshold);
}

/// x * 2^exponent, saturated; 0 <= exponent <= 30.
static inline int32_t aotc_saturating_shift_left(int32_t x, int32_t exponent) {
  int32_t shifted = (int32_t)((uint32_t)x << exponent);
  if (shifted >> exponent != x)
    return x < 0 ? INT32_MIN : INT32_MAX;
  return shifted;
}

/// x * multiplier, rounded twice; for multipliers whose shift is not positive.
static inline int32_t aotc_multiply_right(int32_t x, int32_t mantissa, int32_t shift) {
  return aotc_rounding_shift_right(aotc_doubling_high_mul_mantissa(x, mantissa), -shift);
}

/// x * multiplier, rounded twice; any shift from -31 to 30.
static inline int32_t aotc_multiply(int32_t x, int32_t mantissa, int32_t shift) {
  int32_t left = shift > 0 ? shift : 0;
  int32_t right = shift > 0 ? 0 : -shift;
  return aotc_rounding_shift_right(
      aotc_doubling_high_mul_mantissa(aotc_saturating_shift_left(x, left), mantissa), right);
}

/// An accumulator as an int8 result. `any_left` (a constant) says whether some
/// multiplier of the layer may shift left.
static inline int8_t aotc_requantize_s8(uint32_t sum, const aotc_multiplier &multiplier,
                                        int32_t any_left, int32_t zero_point, int32_t min,
                                        int32_t max) {
  int32_t x = aotc_wrap(sum);
  x = any_left ? aotc_multiply(x, multiplier.mantissa, multiplier.shift)
               : aotc_multiply_right(x, multiplier.mantissa, multiplier.shift);
  x = aotc_wrap((uint32_t)x + (uint32_t)zero_point);
  return (int8_t)aotc_clamp(x, min, max);
}
