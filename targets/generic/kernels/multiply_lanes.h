// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The multiplication of fixed_point.h, both roundings bit for bit, of N lanes by
// one multiplier. Device code only.
#pragma once

#include "targets/generic/kernels/lanes.h"

namespace {

/// aotc_multiply of every lane.
template <int32_t N>
AOTC_INLINE lanes<int32_t, N> multiply_lanes(lanes<int32_t, N> x, int32_t mantissa, int32_t shift) {
  using words = lanes<int32_t, N>;
  using longs = lanes<int64_t, N>;
  if (shift > 0) { // saturating
    const words shifted = x << shift;
    x = shifted >> shift == x ? shifted : x >> 31 ^ INT32_MAX;
  }
  const longs product = __builtin_convertvector(x, longs) * (int64_t)mantissa;
  x = __builtin_convertvector((product + ((int64_t)1 << 30)) >> 31, words);
  if (shift < 0) { // halves away from zero
    const auto mask = (int32_t)((1u << -shift) - 1);
    const words threshold = (mask >> 1) - (x >> 31);
    x = (x >> -shift) - ((x & mask) > threshold); // comparisons give -1
  }
  return x;
}

/// x + zero_point, which wraps as the reference's, cut to min ... max.
template <int32_t N>
AOTC_INLINE lanes<int8_t, N> bytes_of(lanes<int32_t, N> x, int32_t zero_point, int32_t min,
                                      int32_t max) {
  x = (lanes<int32_t, N>)((lanes<uint32_t, N>)x + (uint32_t)zero_point);
  x = __builtin_elementwise_max(x, all_lanes<N>(min));
  x = __builtin_elementwise_min(x, all_lanes<N>(max));
  return __builtin_convertvector(x, lanes<int8_t, N>);
}

} // namespace
