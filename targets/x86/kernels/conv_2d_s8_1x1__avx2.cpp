// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, 1x1, AVX2. Four pixels x eight channels; VPMADDWD on int16
// sums pairs of products exactly (VPMADDUBSW would saturate). Requantisation is
// fixed_point.h in eight lanes, so every multiplier is exact.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/window.h"
#include "targets/x86/kernels/conv_2d_1x1.h"

#include <immintrin.h>

#define ALWAYS_INLINE __attribute__((always_inline))

namespace {

/// Pixels of a block, and channels of a group.
constexpr int32_t block_pixels = 4, group = 8;

/// The multipliers of a group of channels.
struct group_multiplier {
  __m256i mantissa, left, right;
};

ALWAYS_INLINE inline __m256i load(const int32_t *p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(p));
}

/// aotc_saturating_shift_left.
ALWAYS_INLINE inline __m256i saturating_shift_left(__m256i x, __m256i left) {
  const __m256i shifted = _mm256_sllv_epi32(x, left);
  const __m256i fits = _mm256_cmpeq_epi32(_mm256_srav_epi32(shifted, left), x);
  // INT32_MAX, or INT32_MIN where x is negative.
  const __m256i limit = _mm256_xor_si256(_mm256_srai_epi32(x, 31), _mm256_set1_epi32(INT32_MAX));
  return _mm256_blendv_epi8(limit, shifted, fits);
}

/// aotc_doubling_high_mul_mantissa: the low half of (a*b + 2^30) >> 31, the
/// even and the odd lanes apart.
ALWAYS_INLINE inline __m256i doubling_high_mul(__m256i a, __m256i b) {
  const __m256i nudge = _mm256_set1_epi64x((int64_t)1 << 30);
  const __m256i even = _mm256_add_epi64(_mm256_mul_epi32(a, b), nudge);
  const __m256i odd =
      _mm256_add_epi64(_mm256_mul_epi32(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32)), nudge);
  return _mm256_blend_epi32(_mm256_srli_epi64(even, 31), _mm256_slli_epi64(odd, 1), 0xaa);
}

/// aotc_rounding_shift_right.
ALWAYS_INLINE inline __m256i rounding_shift_right(__m256i x, __m256i right) {
  const __m256i one = _mm256_set1_epi32(1);
  const __m256i mask = _mm256_sub_epi32(_mm256_sllv_epi32(one, right), one);
  const __m256i threshold = _mm256_add_epi32(_mm256_srli_epi32(mask, 1), _mm256_srli_epi32(x, 31));
  const __m256i above = _mm256_cmpgt_epi32(_mm256_and_si256(x, mask), threshold);
  return _mm256_sub_epi32(_mm256_srav_epi32(x, right), above);
}

/// Eight accumulators as int8 results.
ALWAYS_INLINE inline __m128i requantize(__m256i acc, const group_multiplier &m,
                                        const aotc_conv_2d_s8_layer &layer) {
  __m256i x = doubling_high_mul(saturating_shift_left(acc, m.left), m.mantissa);
  x = rounding_shift_right(x, m.right);
  x = _mm256_add_epi32(x, _mm256_set1_epi32(layer.out_zero_point));
  x = _mm256_max_epi32(x, _mm256_set1_epi32(layer.act_min));
  x = _mm256_min_epi32(x, _mm256_set1_epi32(layer.act_max));
  // The values fit, so neither pack saturates.
  const __m128i words = _mm_packs_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  return _mm_packs_epi16(words, words);
}

/// One pixel as int16; an odd last channel is followed by 0.
ALWAYS_INLINE inline void widen(const int8_t *x, int16_t *wide, int32_t channels) {
  int32_t c = 0;
  for (; c + 16 <= channels; c += 16)
    _mm256_storeu_si256(
        reinterpret_cast<__m256i *>(wide + c),
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(x + c))));
  for (; c < channels; ++c)
    wide[c] = x[c];
  if (channels & 1)
    wide[channels] = 0;
}

/// All channels of Pixels neighbouring pixels, already widened. Loops over
/// pixels must vanish, for the accumulators to stand in registers.
template <int32_t Pixels>
ALWAYS_INLINE inline void convolve_block(const aotc_conv_2d_1x1_avx2_shape &shape,
                                         const aotc_conv_2d_s8_layer &layer, const int8_t *weights,
                                         const int32_t *channels, const int16_t *wide, int8_t *y) {
  const int32_t pairs = (shape.in_c + 1) / 2;
  for (int32_t c = 0; c < shape.out_c; c += group, channels += 4 * group) {
    __m256i acc[Pixels];
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p)
      acc[p] = load(channels);
    for (int32_t k = 0; k < pairs; ++k, weights += 2 * group) {
      const __m256i w =
          _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(weights)));
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p) {
        int32_t pair;
        __builtin_memcpy(&pair, wide + 2 * (p * pairs + k), 4);
        acc[p] = _mm256_add_epi32(acc[p], _mm256_madd_epi16(w, _mm256_set1_epi32(pair)));
      }
    }
    const group_multiplier m = {load(channels + group), load(channels + 2 * group),
                                load(channels + 3 * group)};
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p) {
      const __m128i out = requantize(acc[p], m, layer);
      int8_t *to = y + p * shape.out_c + c;
      if (shape.out_c - c >= group) {
        _mm_storel_epi64(reinterpret_cast<__m128i *>(to), out);
        continue;
      }
      uint64_t bytes = (uint64_t)_mm_cvtsi128_si64(out);
      for (int32_t i = c; i < shape.out_c; ++i, bytes >>= 8)
        *to++ = (int8_t)bytes;
    }
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8_1x1__avx2) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_1x1_avx2_shape, aotc_conv_2d_s8_layer);
  const int8_t *weights = static_cast<const int8_t *>(data[0]);
  const int32_t *channels = static_cast<const int32_t *>(data[1]);
  int16_t *wide = static_cast<int16_t *>(scratch);
  const int32_t step = shape.stride_w * shape.in_c;
  const int32_t wide_pixel = (shape.in_c + 1) / 2 * 2;

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const int8_t *x = static_cast<const int8_t *>(in[row * shape.stride_h]);
    int8_t *y = static_cast<int8_t *>(out[row]);
    // Blocks from the front, or from the back; the rest one by one.
    int32_t left = shape.pixels;
    while (left > 0) {
      const int32_t count = left >= block_pixels ? block_pixels : 1;
      const int32_t first = descending ? left - count : shape.pixels - left;
      for (int32_t p = 0; p < count; ++p)
        widen(x + (first + p) * step, wide + p * wide_pixel, shape.in_c);
      int8_t *to = y + first * shape.out_c;
      if (count == block_pixels)
        convolve_block<block_pixels>(shape, layer, weights, channels, wide, to);
      else
        convolve_block<1>(shape, layer, weights, channels, wide, to);
      left -= count;
    }
  }
}
