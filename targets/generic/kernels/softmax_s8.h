// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOFTMAX, int8, in the fixed-point arithmetic of TFLite's reference kernel:
// gemmlowp's exponential (argument with 5 integer bits), of which the host side
// makes a table, and its reciprocal by three Newton steps. qN below: a number
// with N integer bits, raw * 2^(N-31).
#pragma once

#include "targets/generic/kernels/fixed_point.h"

/// data[0]: the exponential of every difference from a row's maximum, q0, by its
/// magnitude; the last one stands for all beyond.
struct aotc_softmax_s8_layer {
  int32_t last; ///< index of the last entry
};

/// Product of a qN and a qM, a q(N+M).
static inline int32_t aotc_softmax_mul(int32_t a, int32_t b) {
  return aotc_doubling_high_mul_mantissa(a, b);
}

/// e^x, q0, for x in [-1/4, 0), q0: Taylor around -1/8.
static inline int32_t aotc_softmax_exp_quarter(int32_t x) {
  const int32_t exp_minus_eighth = 1895147668; // e^(-1/8), q0
  const int32_t third = 715827883;             // 1/3, q0
  int32_t t = x + (1 << 28);                   // x + 1/8
  int32_t t2 = aotc_softmax_mul(t, t), t3 = aotc_softmax_mul(t2, t), t4 = aotc_softmax_mul(t2, t2);
  int32_t sum = aotc_softmax_mul(aotc_rounding_shift_right(t4, 2) + t3, third) + t2;
  return exp_minus_eighth +
         aotc_softmax_mul(exp_minus_eighth, t + aotc_rounding_shift_right(sum, 1));
}

/// e^x, q0, for x <= 0, q5: x is split into a multiple of -1/4, whose bits pick
/// factors, and a rest in [-1/4, 0). Bit 24 of a q5 is 1/4.
static inline int32_t aotc_softmax_exp(int32_t x) {
  // e^-(2^k) for k = -2 ... 4, q0
  const int32_t factors[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  if (x == 0)
    return INT32_MAX;
  const int32_t quarter = 1 << 24;
  int32_t rest = (x & (quarter - 1)) - quarter;
  int32_t result = aotc_softmax_exp_quarter(rest * 32); // q5 to q0: at most 2^29
  uint32_t multiple = (uint32_t)(rest - x) >> 24;
  for (int32_t factor : factors) {
    if (multiple & 1)
      result = aotc_softmax_mul(result, factor);
    multiple >>= 1;
  }
  return result;
}

/// The part of an exponential (q0, not negative) in a row's sum, q12.
static inline uint32_t aotc_softmax_term(int32_t exponential) {
  return ((uint32_t)exponential + (1u << 11)) >> 12;
}

/// 1 / (1 + x), q0, for x in [0, 1), q0.
static inline int32_t aotc_softmax_reciprocal_plus_one(int32_t x) {
  const int32_t c48_17 = 1515870810, minus_32_17 = -1010580540; // q2
  // (x + 1) / 2, rounded; the sum needs 33 bits and is positive.
  int32_t half = (int32_t)(((uint32_t)x + (uint32_t)INT32_MAX + 1) >> 1);
  int32_t y = c48_17 + aotc_softmax_mul(half, minus_32_17);
#pragma clang loop unroll(disable)
  for (int i = 0; i < 3; ++i) {
    int32_t error = (1 << 29) - aotc_softmax_mul(half, y);
    y += aotc_saturating_shift_left(aotc_softmax_mul(y, error), 2);
  }
  return aotc_saturating_shift_left(y, 1); // y / 2 is a q1
}

/// What the exponentials of a row are multiplied by: 256 / sum.
struct aotc_softmax_scale {
  int32_t mantissa, shift;

  /// `sum`, q12, is 2^19 or more, the maximum's own term, and did not wrap: fewer than
  /// 2^13 terms.
  explicit aotc_softmax_scale(uint32_t sum) {
    // (1 + x) * 2^(12 - zeros); the reciprocal of 1 + x is taken.
    int32_t zeros = sum >> 31 ? 0 : __builtin_clz(sum);
    mantissa = aotc_softmax_reciprocal_plus_one((int32_t)((sum << zeros) - (1u << 31)));
    shift = 12 - zeros + 31 - 8;
  }
  /// Nothing is left of any exponential.
  bool zero() const { return shift > 31; }
  /// 256 times the quotient, rounded twice, halves away from zero; not if zero().
  int32_t operator()(int32_t exponential) const {
    const auto product = (uint32_t)aotc_softmax_mul(mantissa, exponential);
    return (int32_t)((product + (1u << (shift - 1))) >> shift);
  }
};
