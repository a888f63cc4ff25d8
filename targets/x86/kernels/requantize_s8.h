// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requantisation of int32 accumulators, AVX2: the two roundings of
// fixed_point.h, bit for bit, eight channels at a time. Shared by host and
// device.
//
// For a shift n to the right and an accumulator below 2^29 both roundings are
// one: with h = floor(acc * mantissa / 2^30) the first result is (h + 1) >> 1,
// so the second one is (h + 1 + 2^n - 2 * (h < 0)) >> (n + 1). The zero point
// goes into the constant. The two ways to round differ below 0 only: where the
// activation cuts that off, one constant does.
#pragma once

#include <stdint.h>

/// How a layer's accumulators are requantised.
enum {
  AOTC_REQUANTIZE_ANY,     ///< fixed_point.h step by step: any multiplier
  AOTC_REQUANTIZE_ONCE,    ///< as above; accumulators come times 4
  AOTC_REQUANTIZE_ONE_SIDE ///< the same; results below the zero point are cut
};

/// Words of a group of eight channels in `channels`, eight each. By lanes of
/// the accumulator: 0 biases (times 4 unless ANY), 1 mantissas. ANY: 2 left
/// shifts, 3 right shifts. Else, in the order of the lanes 0 2 1 3 4 6 5 7: 2
/// constants, 3 constants below 0, 4 right shifts.
enum { AOTC_CHANNEL_WORDS = 40 };

#ifdef __AVX2__
#include "targets/generic/kernels/inline.h"

#include <immintrin.h>

namespace {

/// Eight 32-bit words.
AOTC_INLINE __m256i load_words(const int32_t *p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
}

/// aotc_saturating_shift_left.
AOTC_INLINE __m256i saturating_shift_left(__m256i x, __m256i left) {
  const __m256i shifted = _mm256_sllv_epi32(x, left);
  const __m256i fits = _mm256_cmpeq_epi32(_mm256_srav_epi32(shifted, left), x);
  // INT32_MAX, or INT32_MIN where x is negative.
  const __m256i limit = _mm256_xor_si256(_mm256_srai_epi32(x, 31), _mm256_set1_epi32(INT32_MAX));
  return _mm256_blendv_epi8(limit, shifted, fits);
}

/// aotc_doubling_high_mul_mantissa: the low half of (a*b + 2^30) >> 31, the
/// even and the odd lanes apart.
AOTC_INLINE __m256i doubling_high_mul(__m256i a, __m256i b) {
  const __m256i nudge = _mm256_set1_epi64x((int64_t)1 << 30);
  const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(a, b), nudge);
  const __m256i odd =
      _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32)), nudge);
  return _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xaa);
}

/// aotc_rounding_shift_right.
AOTC_INLINE __m256i rounding_shift_right(__m256i x, __m256i right) {
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, right), one);
  const __m256i threshold = _mm256_add_epi32(_mm256_srli_epi32(mask, 1), _mm256_srli_epi32(x, 31));
  const __m256i above = _mm256_cmpgt_epi32(_mm256_and_si256(x, mask), threshold);
  return _mm256_sub_epi32(_mm256_srav_epi32(x, right), above);
}

/// What the results of a layer have in common.
struct output_range {
  int32_t zero_point, min, max;
};

/// The high halves of the products of x and a mantissa, of the even and of the
/// odd lanes; in the order 0 2 1 3 4 6 5 7.
AOTC_INLINE __m256i high_products(__m256i x, __m256i even, __m256i odd) {
  const __m256i low = _mm256_mul_epi32(x, even);
  const __m256i high = _mm256_mul_epi32(_mm256_srli_epi64(x, 32), odd);
  return _mm256_castps_si256(
      _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0xdd));
}

/// Lanes of `below` where h is negative, else of `constant`.
AOTC_INLINE __m256i by_sign(__m256i h, __m256i constant, __m256i below) {
  return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(constant),
                                              _mm256_castsi256_ps(below), _mm256_castsi256_ps(h)));
}

/// Eight results as int32, lanes in the order 0 2 1 3 4 6 5 7; packing
/// saturates them. `channels`: their words.
AOTC_INLINE __m256i requantize(__m256i acc, const int32_t *channels, int32_t how,
                               const output_range &range) {
  if (how == AOTC_REQUANTIZE_ANY) {
    __m256i x = saturating_shift_left(acc, load_words(channels + 16));
    x = doubling_high_mul(x, load_words(channels + 8));
    x = rounding_shift_right(x, load_words(channels + 24));
    x = _mm256_add_epi32(x, _mm256_set1_epi32(range.zero_point)); // wraps, as the reference's
    return _mm256_shuffle_epi32(x, 0xd8);
  }
  const __m256i h = high_products(acc, load_words(channels + 8), load_words(channels + 9));
  __m256i constant = load_words(channels + 16);
  if (how == AOTC_REQUANTIZE_ONCE)
    constant = by_sign(h, constant, load_words(channels + 24));
  return _mm256_srav_epi32(_mm256_add_epi32(h, constant), load_words(channels + 32));
}

AOTC_INLINE __m128i clamp_bytes(__m128i x, const output_range &range) {
  x = _mm_max_epi8(x, _mm_set1_epi8((char)range.min));
  return _mm_min_epi8(x, _mm_set1_epi8((char)range.max));
}

/// Sixteen results as bytes: lanes 0-3 of a, 0-3 of b, 4-7 of a, 4-7 of b.
AOTC_INLINE __m128i pack_two(__m256i a, __m256i b, const output_range &range) {
  const __m256i words = _mm256_packs_epi32(a, b);
  return clamp_bytes(
      _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)), range);
}

/// Eight results as bytes, in the low half.
AOTC_INLINE __m128i pack_one(__m256i a, const output_range &range) {
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  return clamp_bytes(_mm_packs_epi16(words, words), range);
}

} // namespace
#endif
