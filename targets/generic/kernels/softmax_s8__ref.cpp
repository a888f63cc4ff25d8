// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOFTMAX, int8, in the fixed-point arithmetic of TFLite's reference kernel:
// gemmlowp's exponential (argument with 5 integer bits) and its reciprocal by
// three Newton steps. qN below: a number with N integer bits, raw * 2^(N-31).
#include "targets/KernelABI.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/reduce.h"

/// Product of a qN and a qM, a q(N+M).
static inline int32_t mul(int32_t a, int32_t b) { return aotc_doubling_high_mul_mantissa(a, b); }

/// e^x, q0, for x in [-1/4, 0), q0: Taylor around -1/8.
static inline int32_t exp_quarter(int32_t x) {
  const int32_t exp_minus_eighth = 1895147668; // e^(-1/8), q0
  const int32_t third = 715827883;             // 1/3, q0
  int32_t t = x + (1 << 28);                   // x + 1/8
  int32_t t2 = mul(t, t), t3 = mul(t2, t), t4 = mul(t2, t2);
  int32_t sum = mul(aotc_rounding_shift_right(t4, 2) + t3, third) + t2;
  return exp_minus_eighth + mul(exp_minus_eighth, t + aotc_rounding_shift_right(sum, 1));
}

/// e^x, q0, for x <= 0, q5: x is split into a multiple of -1/4, whose bits pick
/// factors, and a rest in [-1/4, 0). Bit 24 of a q5 is 1/4.
static int32_t exp_negative(int32_t x, const int32_t *factors) {
  if (x == 0)
    return INT32_MAX;
  const int32_t quarter = 1 << 24;
  int32_t rest = (x & (quarter - 1)) - quarter;
  int32_t result = exp_quarter(rest * 32); // q5 to q0: at most 2^29
  uint32_t multiple = (uint32_t)(rest - x) >> 24;
  for (int k = 0; k < AOTC_SOFTMAX_S8_FACTORS; ++k)
    if (multiple >> k & 1)
      result = mul(result, factors[k]);
  return result;
}

/// 1 / (1 + x), q0, for x in [0, 1), q0.
static inline int32_t reciprocal_plus_one(int32_t x) {
  const int32_t c48_17 = 1515870810, minus_32_17 = -1010580540; // q2
  // (x + 1) / 2, rounded; the sum needs 33 bits and is positive.
  int32_t half = (int32_t)(((uint32_t)x + (uint32_t)INT32_MAX + 1) >> 1);
  int32_t y = c48_17 + mul(half, minus_32_17);
  for (int i = 0; i < 3; ++i) {
    int32_t error = (1 << 29) - mul(half, y);
    y += aotc_saturating_shift_left(mul(y, error), 2);
  }
  return aotc_saturating_shift_left(y, 1); // y / 2 is a q1
}

AOTC_KERNEL_FN(aotc_softmax_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_softmax_shape, aotc_softmax_s8_layer);
  const int32_t *factors = static_cast<const int32_t *>(data[0]);
  // A row is read in full before any of it is written, and element i is
  // written only after its last use: in place works.
  for (int32_t n = 0; n < shape.rows; ++n) {
    int32_t row = (descending ? shape.rows - 1 - n : n) * shape.depth;
    const int8_t *from = static_cast<const int8_t *>(in[0]) + row;
    int8_t *to = static_cast<int8_t *>(out[0]) + row;
    int32_t max = -128;
    for (int32_t i = 0; i < shape.depth; ++i)
      max = from[i] > max ? from[i] : max;

    // Twice over the row: the sum, then the results. One loop, so that there is
    // one copy of the exponential.
    uint32_t sum = 0; // q12, at least 1
    int32_t scale = 0, shift = 0;
#pragma clang loop unroll(disable)
    for (int32_t pass = 0; pass < 2; ++pass) {
      for (int32_t k = 0; k < shape.depth; ++k) {
        int32_t i = descending ? shape.depth - 1 - k : k;
        int32_t diff = from[i] - max;
        int32_t e = 0;
        if (diff >= layer.diff_min) // else the product may overflow
          e = exp_negative(mul(diff * (1 << layer.shift), layer.mantissa), factors);
        if (pass == 0) {
          sum += (uint32_t)aotc_rounding_shift_right(e, 12);
          continue;
        }
        int32_t result = -128;
        if (shift <= 31) // else all are 0
          result += aotc_rounding_shift_right(mul(scale, e), shift);
        to[i] = (int8_t)aotc_clamp(result, -128, 127);
      }
      // sum = (1 + x) * 2^(12 - zeros); the reciprocal of 1 + x is taken.
      int32_t zeros = sum >> 31 ? 0 : __builtin_clz(sum);
      scale = reciprocal_plus_one((int32_t)((sum << zeros) - (1u << 31)));
      shift = 12 - zeros + 31 - 8;
    }
  }
}
