// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Averages of int8 by a reciprocal; host and device.
#pragma once

#include "targets/generic/kernels/inline.h"

#include <stdint.h>

/// So many int8 add up in lanes of 16 bits: 256 * -128 is -2^15; and, each 128
/// higher, 256 * 255 is below 2^16.
enum { AOTC_SUM_TAPS = 256 };

/// 2^24 / taps, rounded up.
static inline uint32_t aotc_reciprocal_of_taps(uint32_t taps) {
  return ((1u << 24) + taps - 1) / taps;
}

/// |sum| / taps, halves up, of one sum or a vector of them: n / taps with n = |sum| +
/// taps / 2, by the reciprocal (2^24 + e) / taps, 0 <= e < taps <= AOTC_SUM_TAPS.
/// n <= 128.5 * taps. The product is at most 128.5 * (2^24 + taps): below 2^32. The
/// quotient is too large by n * e / (taps * 2^24), less than the 1 / taps that
/// matters, for n * e < 128.5 * taps^2 < 2^24.
template <typename Magnitude>
AOTC_INLINE Magnitude aotc_average_of_magnitude(Magnitude sum, uint32_t taps, uint32_t reciprocal) {
  return (sum + taps / 2) * reciprocal >> 24;
}
