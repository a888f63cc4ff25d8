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
#include "targets/x86/kernels/requantize_s8.h"

namespace {

template <int32_t N> struct vector_types {
  typedef int32_t words __attribute__((vector_size(4 * N)));
  typedef uint32_t unsigned_words __attribute__((vector_size(4 * N)));
  typedef int64_t longs __attribute__((vector_size(4 * N)));
  typedef uint64_t unsigned_longs __attribute__((vector_size(4 * N)));
  typedef int8_t bytes __attribute__((vector_size(4 * N))); ///< four to a word
  typedef int8_t results __attribute__((vector_size(N)));   ///< one to a word
};
template <int32_t N> using words = typename vector_types<N>::words;
template <int32_t N> using bytes = typename vector_types<N>::bytes;

template <typename Vector> AOTC_INLINE Vector load_vector(const void *from) {
  Vector result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}

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
  using types = vector_types<N>;
  using longs = typename types::longs;
  using unsigned_longs = typename types::unsigned_longs;
  const longs a = (longs)x, b = (longs)y;
  const longs even = (a << 32 >> 32) * (b << 32 >> 32), odd = (a >> 32) * (b >> 32);
  return (words<N>)(((unsigned_longs)odd & ~(unsigned_longs){} << 32) |
                    ((unsigned_longs)even >> 32));
}

/// aotc_doubling_high_mul_mantissa (fixed_point.h): (x * y + 2^30) >> 31, modulo 2^32.
template <int32_t N> AOTC_INLINE words<N> doubling_high_words(words<N> x, words<N> y) {
  using longs = typename vector_types<N>::longs;
  using unsigned_longs = typename vector_types<N>::unsigned_longs;
  const longs a = (longs)x, b = (longs)y;
  const longs nudge = (longs){} + ((int64_t)1 << 30);
  const longs even = (a << 32 >> 32) * (b << 32 >> 32) + nudge;
  const longs odd = (a >> 32) * (b >> 32) + nudge;
  const unsigned_longs low = ~(unsigned_longs){} >> 32;
  return (words<N>)((((unsigned_longs)even >> 31) & low) | (((unsigned_longs)odd << 1) & ~low));
}

/// The results of N channels, `vectors`: theirs, as int32, not yet cut to the range.
template <int32_t N>
AOTC_INLINE words<N> requantize_words(words<N> acc, const int32_t *vectors, int32_t how,
                                      const output_range &range) {
  auto at = [&](int32_t i) AOTC_INLINED { return load_vector<words<N>>(vectors + i * N); };
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
template <int32_t N>
AOTC_INLINE typename vector_types<N>::results to_bytes(words<N> x, const output_range &range) {
  const words<N> low = (words<N>){} + range.min, high = (words<N>){} + range.max;
  x = x < low ? low : x;
  x = x > high ? high : x;
  return __builtin_convertvector(x, typename vector_types<N>::results);
}

/// Writes the first `count` (at least 1) bytes of x; `most`: as many as it has.
template <int32_t Most, typename Vector>
AOTC_INLINE void store_first(int8_t *to, Vector x, int32_t count) {
  if (count >= Most) {
    __builtin_memcpy(to, &x, Most);
    return;
  }
#ifdef __AVX512BW__
  if constexpr (Most == 64)
    return _mm512_mask_storeu_epi8(to, ((__mmask64)1 << count) - 1, (__m512i)x);
  else if constexpr (Most == 32)
    return _mm256_mask_storeu_epi8(to, ((__mmask32)1 << count) - 1, (__m256i)x);
  else
    return _mm_mask_storeu_epi8(to, (__mmask16)((1u << count) - 1), (__m128i)x);
#else
  for (int32_t i = 0; i < count; ++i)
    to[i] = x[i];
#endif
}

/// The first `count` bytes at x, the others 0; reads no others.
template <int32_t N> AOTC_INLINE bytes<N> load_first(const int8_t *x, int32_t count) {
  if (count >= 4 * N)
    return load_vector<bytes<N>>(x);
#ifdef __AVX512BW__
  if constexpr (N == 16)
    return (bytes<N>)_mm512_maskz_loadu_epi8(((__mmask64)1 << count) - 1, x);
  else if constexpr (N == 8)
    return (bytes<N>)_mm256_maskz_loadu_epi8(((__mmask32)1 << count) - 1, x);
  else
    return (bytes<N>)_mm_maskz_loadu_epi8((__mmask16)((1u << count) - 1), x);
#else
  bytes<N> result = {};
  for (int32_t i = 0; i < count; ++i)
    result[i] = x[i];
  return result;
#endif
}

/// Four bytes at x, the sign bits flipped, in each word.
template <int32_t N> AOTC_INLINE words<N> broadcast_unsigned(const void *x) {
  uint32_t four;
  __builtin_memcpy(&four, x, 4);
  return (words<N>){} + (int32_t)(four ^ 0x80808080u);
}

} // namespace
#endif
