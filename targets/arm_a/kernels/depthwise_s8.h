// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of eight channels' products, tap by tap, NEON. Device code only.
#pragma once

#include "targets/arm_a/kernels/requantize_s8.h"

namespace {

/// Channels computed together.
constexpr int32_t depthwise_channels = 8;

struct depthwise_sums {
  int32x4_t low, high;

  AOTC_INLINE void add(int16x8_t products) {
    low = vaddw_s16(low, vget_low_s16(products));
    high = vaddw_s16(high, vget_high_s16(products));
  }

  /// Two taps x, y with weights w, v. `pairs`: 16 bits hold their sum.
  AOTC_INLINE void add(int8x8_t x, int8x8_t w, int8x8_t y, int8x8_t v, int32_t pairs) {
    const int16x8_t products = vmull_s8(x, w);
    if (pairs) {
      add(vmlal_s8(products, y, v));
    } else {
      add(products);
      add(vmull_s8(y, v));
    }
  }
};

/// The words of eight channels.
struct depthwise_group {
  channel_group low, high;

  AOTC_INLINE explicit depthwise_group(const int32_t *words)
      : low(words), high(words + AOTC_NEON_CHANNEL_WORDS) {}

  AOTC_INLINE depthwise_sums first() const { return {low.bias, high.bias}; }
  AOTC_INLINE int8x8_t last(const depthwise_sums &sums, int32_t how,
                            const output_range &range) const {
    const int32x4_t a = requantize(sums.low, low, how, range);
    const int32x4_t b = requantize(sums.high, high, how, range);
    return clamp_bytes(narrow(a, b, how, range), range);
  }
};

} // namespace
