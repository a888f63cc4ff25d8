// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How weights and constants of the int8 convolutions for Armv7-M stand in memory,
// and how sums become outputs; shared by host and device.
//
// The inputs of two pixels share a word, x0 + x1 * 2^16, each plus 128; a weight
// plus 128 multiplies both: 255 * 255 fits the 16 bits of a lane. Per channel
// `all` sums the products, `high` their upper halves: pixel 1 is high, pixel 0
// all - (high << 16). What the offsets add is subtracted beforehand, 128 * sum of
// the pixel's inputs, or is part of the channel's constants, 128 * sum of its
// weights. Sums below are what remains: the accumulator but for a constant.
//
// Stream, per group of four channels:
//   weights  bytes, plus 128: per tap those of the four channels; where a layer
//            has fewer taps or channels, zeros
//   tail     per channel: aotc_thumb2_fit: mantissa, round;
//            aotc_thumb2_away: mantissa, add, right, bias
#pragma once

#include <stdint.h>

/// How a layer's sums become outputs; chosen by the host.
enum aotc_thumb2_tail : int32_t {
  /// One rounding, constants fitted at the steps of the output:
  /// sat8((round + (256*sum * mantissa >> 32)) >> up).
  aotc_thumb2_fit = 0,
  /// Two roundings, every multiplier shifting right by 1 ... 22, acc = sum + bias:
  /// sat8(((2*acc * mantissa + 2^31 >> 32) + add - (acc < 0)) >> right) with add =
  /// half + (zero point << right), half = 1 << (right - 1). The sign of the second
  /// rounding, halves away from zero, may be that of the accumulator: it differs
  /// from the product's only where the product rounds to 0, and (half - 1) >>
  /// right is 0.
  aotc_thumb2_away = 1,
  /// fixed_point.h itself, for any multiplier, bias and bounds.
  aotc_thumb2_general = 2,
};

/// The shifts `up` of aotc_thumb2_fit there is code for, in the order of
/// preference: layers that agree share code.
static constexpr int32_t aotc_thumb2_shifts[] = {12, 10, 9};

/// Taps of a turn of the loop; a layer's are rounded up to it.
static constexpr int32_t aotc_thumb2_turn = 8;
