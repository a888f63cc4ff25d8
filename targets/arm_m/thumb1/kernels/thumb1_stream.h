// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How weights and constants of the int8 layers for Armv6-M stand in memory, and
// how sums become outputs; shared by host and device.
//
// Two pixels share a word, x0 + 65536 * x1, so that one MULS multiplies both by a
// weight. Up to four products are summed in one register, T = L + 65536 * H; then
// T + 0x8000 >> 16 is H, if |L| < 2^15, which holds while the |weights| of the
// products do not exceed 255. `all` sums T + 0x8000, `high` sums H; at the end
// L's sum is all - 65536 * high.
//
// A channel's sum begins at its bias less the last accumulator whose output is
// the least one. The rest is positive:
//   acc <= 0 ? output of 0 : acc > top ? output of top
//   (acc * mantissa_high + (acc * mantissa_low >> 12) + round) >> 23
// Two products of 32 bits, exact for a mantissa of 35 bits.
#pragma once

#include <stdint.h>

/// How a layer's sums become outputs; chosen by the host.
enum aotc_thumb1_tail : int32_t {
  /// One rounding constant.
  aotc_thumb1_fit = 0,
  /// Another one for negative accumulators: halves are rounded away from zero,
  /// two branches of one slope that lie a unit apart.
  aotc_thumb1_split = 1,
  /// fixed_point.h itself, for any multiplier, bias and bounds: depthwise_conv_2d_s8
  /// only, whose sums begin at the bias.
  aotc_thumb1_general = 2,
};

/// Bits of mantissa_low; of the shift.
static constexpr int32_t aotc_thumb1_low_bits = 12, aotc_thumb1_shift = 23;

/// Words of the tail of a channel: mantissa_low, mantissa_high, round, top; of
/// aotc_thumb1_split also the first accumulator that is not negative, and what
/// to add to `round` below it. Of aotc_thumb1_general: mantissa, shift.
static inline int32_t aotc_thumb1_tail_words(int32_t tail) {
  return tail == aotc_thumb1_general ? 2 : tail == aotc_thumb1_fit ? 4 : 6;
}

/// Stream of a convolution, per output channel:
///   2 * start + pairs   pairs: 1 if not four but two products are summed at once
///   first `all`         65537 * start - 0x8000 per group of products
///   weights             four to a word
///   tail
static inline int32_t aotc_thumb1_channel_words(int32_t taps, int32_t tail) {
  return 2 + taps / 4 + aotc_thumb1_tail_words(tail);
}
