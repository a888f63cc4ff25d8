// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes and words in vectors of N 32-bit lanes, for AVX-512 VNNI (Ice Lake and
// later): sums of four products in one instruction, and requantisation, bit for bit
// that of requantize_s8.h, with lanes in their order. Shared by host and device.
//
// VPDPBUSD multiplies unsigned by signed bytes: inputs come as x + 128 (the
// sign bit flipped), and biases have had 128 * (sum of weights) taken off. All sums
// are modulo 2^32; nothing saturates.
#pragma once

#include <stdint.h>

/// Vectors of N words of N channels, in the order of channels: 0 biases as above, 1
/// mantissas; AOTC_REQUANTIZE_ANY: 2 left shifts, 3 right shifts; else 2 constants, 3
/// constants below 0, 4 right shifts (requantize_s8.h).
enum { AOTC_CHANNEL_VECTORS = 5 };

#ifdef __AVX2__
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/requantize_s8.h"

namespace {

template <int32_t N> using words = lanes<int32_t, N>;
template <int32_t N> using longs = lanes<int64_t, N / 2>;
template <int32_t N> using unsigned_longs = lanes<uint64_t, N / 2>;
template <int32_t N> using bytes = lanes<int8_t, 4 * N>; ///< four to a word

/// acc + the four products x * w of each word: x unsigned, w signed.
#ifdef __AVX512VNNI__
template <int32_t N> AOTC_INLINE words<N> add_products(words<N> acc, words<N> x, words<N> w) {
  if constexpr (N == 16)
    return (words<N>)_mm512_dpbusd_epi32((__m512i)acc, (__m512i)x, (__m512i)w);
  else if constexpr (N == 8)
    return (words<N>)_mm256_dpbusd_epi32((__m256i)acc, (__m256i)x, (__m256i)w);
  else
    return (words<N>)_mm_dpbusd_epi32((__m128i)acc, (__m128i)x, (__m128i)w);
}
#else // tests on other CPUs: the manual's definition, out of line for the sake of build time
template <int32_t N>
__attribute__((noinline)) words<N> add_products(words<N> acc, words<N> x, words<N> w) {
  for (int32_t shift = 0; shift < 32; shift += 8)
    acc += ((x >> shift) & 0xff) * (w << (24 - shift) >> 24);
  return acc;
}
#endif

/// The high words of the products of the words of x and y.
template <int32_t N> AOTC_INLINE words<N> high_words(words<N> x, words<N> y) {
  const longs<N> a = (longs<N>)x, b = (longs<N>)y;
  const longs<N> even = (a << 32 >> 32) * (b << 32 >> 32), odd = (a >> 32) * (b >> 32);
  return (words<N>)(((unsigned_longs<N>)odd & ~(unsigned_longs<N>){} << 32) |
                    ((unsigned_longs<N>)even >> 32));
}

/// aotc_doubling_high_mul_mantissa (fixed_point.h): (x * y + 2^30) >> 31, modulo 2^32.
template <int32_t N> AOTC_INLINE words<N> doubling_high_words(words<N> x, words<N> y) {
  const longs<N> a = (longs<N>)x, b = (longs<N>)y;
  const longs<N> nudge = (longs<N>){} + ((int64_t)1 << 30);
  const longs<N> even = (a << 32 >> 32) * (b << 32 >> 32) + nudge;
  const longs<N> odd = (a >> 32) * (b >> 32) + nudge;
  const unsigned_longs<N> low = ~(unsigned_longs<N>){} >> 32;
  return (words<N>)((((unsigned_longs<N>)even >> 31) & low) |
                    (((unsigned_longs<N>)odd << 1) & ~low));
}

/// The results of N channels, `vectors`: theirs, as int32, not yet cut to the range.
template <int32_t N>
AOTC_INLINE words<N> requantize_words(words<N> acc, const int32_t *vectors, int32_t how,
                                      const output_range &range) {
  auto at = [&](int32_t i) AOTC_INLINED { return load_lanes<N>(vectors + i * N); };
  if (how == AOTC_REQUANTIZE_ANY) {
    const words<N> left = at(2), right = at(3), one = (words<N>){} + 1;
    const words<N> shifted = acc << left;
    const words<N> limit = (acc >> 31) ^ INT32_MAX;
    words<N> x = (shifted >> left) == acc ? shifted : limit;
    x = doubling_high_words<N>(x, at(1));
    const words<N> mask = (one << right) - one;
    const words<N> threshold = (mask >> 1) - (x >> 31);
    return (x >> right) - ((x & mask) > threshold) + range.zero_point;
  }
  const words<N> h = high_words<N>(acc << 2, at(1));
  words<N> constant = at(2);
  if (how == AOTC_REQUANTIZE_ONCE)
    constant = h < 0 ? at(3) : constant;
  return (h + constant) >> at(4);
}

/// Cut to the range, as bytes.
template <int32_t N> AOTC_INLINE lanes<int8_t, N> to_bytes(words<N> x, const output_range &range) {
  const words<N> low = (words<N>){} + range.min, high = (words<N>){} + range.max;
  x = x < low ? low : x;
  x = x > high ? high : x;
  return __builtin_convertvector(x, lanes<int8_t, N>);
}

/// Four bytes at x, the sign bits flipped, in each word.
template <int32_t N> AOTC_INLINE words<N> broadcast_unsigned(const void *x) {
  uint32_t four;
  __builtin_memcpy(&four, x, 4);
  return (words<N>){} + (int32_t)(four ^ 0x80808080u);
}

} // namespace
#endif
