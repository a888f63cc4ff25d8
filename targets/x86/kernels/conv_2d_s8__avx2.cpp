// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, AVX2. Up to six pixels x sixteen channels in registers;
// VPMADDWD on int16 sums pairs of products exactly (VPMADDUBSW would saturate).
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/conv_2d.h"
#include "targets/x86/kernels/requantize_s8.h"

namespace {

/// int8 to int16, times 2^shift.
struct widen {
  int32_t shift, padding;

  AOTC_INLINE void operator()(const int8_t *from, int16_t *to, int32_t count) const {
    int32_t i = 0;
    for (; i + 16 <= count; i += 16) {
      const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + i));
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + i),
                          _mm256_slli_epi16(_mm256_cvtepi8_epi16(x), shift));
    }
    if (i + 8 <= count) {
      const __m128i x = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(from + i));
      _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i),
                       _mm_slli_epi16(_mm_cvtepi8_epi16(x), shift));
      i += 8;
    }
    for (; i < count; ++i)
      to[i] = (int16_t)(from[i] * (1 << shift));
  }
  AOTC_INLINE void pad(int16_t *to, int32_t count) const {
    for (int32_t i = 0; i < count; ++i)
      to[i] = (int16_t)padding;
  }
};

struct layer_data {
  const int8_t *weights;
  const int32_t *channels;
  output_range range;
};

/// Channels c <= k < c + 8 * Vectors of Pixels pixels. Loops over pixels and
/// vectors must vanish, for the accumulators to stand in registers.
template <int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_group(const aotc_conv_2d_x86_shape &shape, layer_data &d,
                                const int16_t *wide, int8_t *y, int32_t c) {
  __m256i acc[Pixels][Vectors];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      acc[p][v] = load_words(d.channels + v * AOTC_CHANNEL_WORDS);
  const int8_t *weights = d.weights;
  auto add_pair = [&](const int16_t *x) AOTC_INLINED {
    __m256i w[Vectors];
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      w[v] = _mm256_cvtepi8_epi16(
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(weights + 16 * v)));
    weights += 16 * Vectors;
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p) {
      int32_t pair;
      __builtin_memcpy(&pair, x + p * shape.pixel_step, 4);
#pragma clang loop unroll(full)
      for (int32_t v = 0; v < Vectors; ++v)
        acc[p][v] = _mm256_add_epi32(acc[p][v], _mm256_madd_epi16(w[v], _mm256_set1_epi32(pair)));
    }
  };
  for (int32_t r = 0; r < shape.runs; ++r, wide += shape.run_step) {
    int32_t i = 0;
    for (; i + 2 < shape.run_length; i += 4) { // two: fewer instructions that only count
      add_pair(wide + i);
      add_pair(wide + i + 2);
    }
    if (i < shape.run_length)
      add_pair(wide + i);
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p) {
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      acc[p][v] =
          requantize(acc[p][v], d.channels + v * AOTC_CHANNEL_WORDS, shape.requantize, d.range);
    __m128i bytes;
    if constexpr (Vectors == 1)
      bytes = pack_one(acc[p][0], d.range);
    else
      bytes = pack_two(acc[p][0], acc[p][1], d.range);
    const int32_t left = shape.out_c - c;
    store_lanes<16>(y + p * shape.out_c + c, (lanes<int8_t, 16>)bytes,
                    left < 8 * Vectors ? left : 8 * Vectors);
  }
  d.weights = weights;
  d.channels += Vectors * AOTC_CHANNEL_WORDS;
}

template <int32_t Pixels>
AOTC_INLINE void convolve_block(const aotc_conv_2d_x86_shape &shape, layer_data d,
                                const int16_t *wide, int8_t *y) {
  const int32_t pairs = shape.out_c - (shape.out_c % 16 && shape.out_c % 16 <= 8 ? 8 : 0);
  int32_t c = 0;
  for (; c < pairs; c += 16)
    convolve_group<Pixels, 2>(shape, d, wide, y, c);
  if (c < shape.out_c)
    convolve_group<Pixels, 1>(shape, d, wide, y, c);
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_x86_shape, aotc_conv_2d_s8_layer);
  const layer_data d = {static_cast<const int8_t *>(data[0]),
                        static_cast<const int32_t *>(data[1]),
                        {layer.out_zero_point, layer.act_min, layer.act_max}};
  const int32_t shift = shape.requantize == AOTC_REQUANTIZE_ANY ? 0 : 2;
  const widen copy = {shift, layer.in_zero_point * (1 << shift)};
  for_copied_blocks<AOTC_CONV_2D_MOST_PIXELS, int8_t>(
      shape, copy, in, out, static_cast<int16_t *>(scratch), rows, descending,
      [&]<int32_t Pixels>(const int16_t *wide, int8_t *y)
          AOTC_INLINED { convolve_block<Pixels>(shape, d, wide, y); });
}
