// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float functions of the kernels: no libm, no double, the same algorithm on
// every target.
#pragma once

#include "targets/generic/kernels/float_clamp.h"

#include <stdint.h>

/// The bits of a float, or of each of a vector of them.
template <typename Float> struct aotc_bits_of {
  typedef uint32_t type __attribute__((vector_size(sizeof(Float))));
  typedef int32_t as_signed __attribute__((vector_size(sizeof(Float))));
};
template <> struct aotc_bits_of<float> {
  using type = uint32_t;
  using as_signed = int32_t;
};

/// e^x, at most 1 ulp off where the result is normal; overflows to infinity,
/// underflows through the subnormals to 0; a NaN gives a NaN. Of one float, or of
/// each of a vector (lanes.h): the same operations.
///
/// x = n ln 2 + r, |r| <= ln 2 / 2: e^x = 2^n (1 + r + r^2 q(r)). q has degree
/// 4, fitted for least relative error of e^r (3.6e-9, 2^-28). ln 2 is
/// subtracted in two parts, of which the first has 9 bits: n times it is exact.
template <typename Float> static inline Float aotc_expf(Float x) {
  using bits = typename aotc_bits_of<Float>::type;
  // Beyond these the result is 0 or infinity; n stays within 9 bits.
  const Float zero = {}, low = aotc_lane_bound<Float>(zero - 104.0f), high = zero + 89.0f;
  x = x < low ? low : x;
  x = x > high ? high : x;
  // Adding 1.5 * 2^23 leaves round(x / ln 2) in the low bits.
  const float round = 12582912.0f;
  Float shifted = x * 1.44269504f + round;
  bits n = __builtin_bit_cast(bits, shifted) - __builtin_bit_cast(uint32_t, round);
  Float whole = shifted - round;
  Float r = x - whole * 0.693359375f;
  r -= whole * -2.12194440e-4f;
  Float q = zero + 0.00138145406f;
  q = q * r + 0.00836874545f;
  q = q * r + 0.0416683890f;
  q = q * r + 0.166665211f;
  q = q * r + 0.499999940f;
  Float y = 1.0f + (r + r * r * q);
  // 2^n in two factors: one alone would leave the range of the exponent.
  bits half = (bits)((typename aotc_bits_of<Float>::as_signed)n >> 1);
  y *= __builtin_bit_cast(Float, (half + 127u) << 23);
  return y * __builtin_bit_cast(Float, (n - half + 127u) << 23);
}

/// x rounded to an integer, halves away from zero, saturated to +-2^23; a NaN
/// gives -2^23.
static inline int32_t aotc_round_saturate(float x) {
  const float limit = 8388608.0f;
  x = x > -limit ? x : -limit;
  x = x < limit ? x : limit;
  int32_t whole = (int32_t)x;
  float rest = x - (float)whole; // exact
  return whole + (rest >= 0.5f) - (rest <= -0.5f);
}
