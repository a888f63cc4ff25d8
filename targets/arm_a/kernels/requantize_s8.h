// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requantisation of int32 accumulators, NEON: the two roundings of fixed_point.h,
// bit for bit, four channels at a time. Shared by host and device.
//
// SQRDMULH is the first rounding: floor((a*b + 2^30) / 2^31); a mantissa is never
// -2^31, so it does not saturate, and gives no -2^31. SRSHL is the second one but
// for halves below 0, which it rounds up: they get 1 less before.
#pragma once

#include <stdint.h>

/// How a layer's accumulators are requantised.
enum {
  AOTC_NEON_REQUANTIZE_ANY,     ///< any multiplier; the zero point's sum wraps
  AOTC_NEON_REQUANTIZE_RIGHT,   ///< no shift to the left, results far from 2^31
  AOTC_NEON_REQUANTIZE_ONE_SIDE ///< the same; results below the zero point are cut
};

/// Words of a group of four channels, four each: biases, mantissas, shifts to the
/// right as negative numbers, shifts to the left.
enum { AOTC_NEON_CHANNEL_WORDS = 16 };

#ifdef __ARM_NEON
#include "targets/generic/kernels/inline.h"

#include <arm_neon.h>

namespace {

/// What the results of a layer have in common.
struct output_range {
  int32_t zero_point, min, max;
};

/// The words of four channels.
struct channel_group {
  int32x4_t bias, mantissa, right, left;

  AOTC_INLINE explicit channel_group(const int32_t *words)
      : bias(vld1q_s32(words)), mantissa(vld1q_s32(words + 4)), right(vld1q_s32(words + 8)),
        left(vld1q_s32(words + 12)) {}
};

/// x / 2^n, halves away from zero, for shifts of -n; x is not -2^31.
AOTC_INLINE int32x4_t round_right(int32x4_t x, int32x4_t shifts) {
  // 1 less where x is negative and the shift is not 0, which rounds nothing.
  return vrshlq_s32(vsraq_n_s32(x, vandq_s32(x, shifts), 31), shifts);
}

/// Four results; narrowing saturates them. Bias included in `acc`.
AOTC_INLINE int32x4_t requantize(int32x4_t acc, const channel_group &channels, int32_t how,
                                 const output_range &range) {
  if (how == AOTC_NEON_REQUANTIZE_ANY)
    acc = vqshlq_s32(acc, channels.left);
  int32x4_t x = vqrdmulhq_s32(acc, channels.mantissa);
  x = how == AOTC_NEON_REQUANTIZE_ONE_SIDE ? vrshlq_s32(x, channels.right)
                                           : round_right(x, channels.right);
  if (how == AOTC_NEON_REQUANTIZE_ANY)
    x = vaddq_s32(x, vdupq_n_s32(range.zero_point)); // wraps, as the reference's
  return x;
}

/// Eight results as int16, zero point added.
AOTC_INLINE int16x8_t narrow(int32x4_t low, int32x4_t high, int32_t how,
                             const output_range &range) {
  const int16x8_t x = vcombine_s16(vqmovn_s32(low), vqmovn_s32(high));
  return how == AOTC_NEON_REQUANTIZE_ANY ? x
                                         : vqaddq_s16(x, vdupq_n_s16((int16_t)range.zero_point));
}

AOTC_INLINE int8x8_t clamp_bytes(int16x8_t x, const output_range &range) {
  const int8x8_t low = vmax_s8(vqmovn_s16(x), vdup_n_s8((int8_t)range.min));
  return vmin_s8(low, vdup_n_s8((int8_t)range.max));
}
AOTC_INLINE int8x16_t clamp_bytes(int16x8_t low, int16x8_t high, const output_range &range) {
  const int8x16_t x = vcombine_s8(vqmovn_s16(low), vqmovn_s16(high));
  return vminq_s8(vmaxq_s8(x, vdupq_n_s8((int8_t)range.min)), vdupq_n_s8((int8_t)range.max));
}

/// The first `count` bytes of x to `to`; 8 or more: all.
AOTC_INLINE void store_bytes(int8_t *to, int8x8_t x, int32_t count) {
  if (count >= 8) {
    vst1_s8(to, x);
    return;
  }
  if (count >= 4) {
    const uint32_t four = vget_lane_u32(vreinterpret_u32_s8(x), 0);
    __builtin_memcpy(to, &four, 4);
    x = vext_s8(x, x, 4);
    to += 4;
    count -= 4;
  }
  for (; count > 0; --count, x = vext_s8(x, x, 1))
    vst1_lane_s8(to++, x, 0);
}

/// The first `count` bytes of x to `to`; 16 or more: all.
AOTC_INLINE void store_bytes(int8_t *to, int8x16_t x, int32_t count) {
  if (count >= 16) {
    vst1q_s8(to, x);
    return;
  }
  store_bytes(to, vget_low_s8(x), count);
  if (count > 8)
    store_bytes(to + 8, vget_high_s8(x), count - 8);
}

} // namespace
#endif
