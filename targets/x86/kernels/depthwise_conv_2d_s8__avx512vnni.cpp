// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, AVX-512 VNNI: 64 channels of a pixel at a time (the
// last ones may be 32 or 16), four taps at once, whose bytes are interleaved.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/x86/kernels/bytes_vnni.h"
#include "targets/x86/kernels/depthwise_conv_2d.h"

namespace {

/// Pieces of Width bytes of a and b in turns, from the low or the high halves of
/// their parts of 16 bytes.
template <int32_t N, int32_t Width, bool High>
AOTC_INLINE bytes<N> interleave(bytes<N> a, bytes<N> b) {
#ifdef __AVX512BW__
  if constexpr (N == 16)
    return (bytes<N>)(Width == 1 ? (High ? _mm512_unpackhi_epi8((__m512i)a, (__m512i)b)
                                         : _mm512_unpacklo_epi8((__m512i)a, (__m512i)b))
                                 : (High ? _mm512_unpackhi_epi16((__m512i)a, (__m512i)b)
                                         : _mm512_unpacklo_epi16((__m512i)a, (__m512i)b)));
  else if constexpr (N == 8)
    return (bytes<N>)(Width == 1 ? (High ? _mm256_unpackhi_epi8((__m256i)a, (__m256i)b)
                                         : _mm256_unpacklo_epi8((__m256i)a, (__m256i)b))
                                 : (High ? _mm256_unpackhi_epi16((__m256i)a, (__m256i)b)
                                         : _mm256_unpacklo_epi16((__m256i)a, (__m256i)b)));
  else
    return (bytes<N>)(Width == 1 ? (High ? _mm_unpackhi_epi8((__m128i)a, (__m128i)b)
                                         : _mm_unpacklo_epi8((__m128i)a, (__m128i)b))
                                 : (High ? _mm_unpackhi_epi16((__m128i)a, (__m128i)b)
                                         : _mm_unpacklo_epi16((__m128i)a, (__m128i)b)));
#else
  bytes<N> result;
  for (int32_t i = 0; i < 4 * N; ++i) {
    const int32_t piece = i % 16 / Width, from = i / 16 * 16 + (High ? 8 : 0);
    result[i] = (piece % 2 ? b : a)[from + piece / 2 * Width + i % Width];
  }
  return result;
#endif
}

/// Channels 0-3, 4-7, 8-11 and 12-15 of each part of 16 channels.
template <int32_t N> struct sums {
  words<N> of[4];

  AOTC_INLINE void add(const int8_t *const *taps, const int8_t *weights, int32_t count) {
    bytes<N> x[4];
#pragma clang loop unroll(full)
    for (int32_t t = 0; t < 4; ++t)
      x[t] = load_lanes<4 * N>(taps[t], count) ^ (int8_t)-128;
    const bytes<N> low01 = interleave<N, 1, false>(x[0], x[1]),
                   low23 = interleave<N, 1, false>(x[2], x[3]),
                   high01 = interleave<N, 1, true>(x[0], x[1]),
                   high23 = interleave<N, 1, true>(x[2], x[3]);
    const bytes<N> quads[4] = {
        interleave<N, 2, false>(low01, low23), interleave<N, 2, true>(low01, low23),
        interleave<N, 2, false>(high01, high23), interleave<N, 2, true>(high01, high23)};
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < 4; ++v)
      of[v] = add_products<N>(of[v], (words<N>)quads[v],
                              (words<N>)load_lanes<4 * N>(weights + 4 * N * v));
  }

  /// In the order of channels, cut to the range.
  AOTC_INLINE bytes<N> pack(const output_range &range) const {
#ifdef __AVX512BW__
    if constexpr (N == 16)
      return clamp((bytes<N>)_mm512_packs_epi16(_mm512_packs_epi32((__m512i)of[0], (__m512i)of[1]),
                                                _mm512_packs_epi32((__m512i)of[2], (__m512i)of[3])),
                   range);
    else if constexpr (N == 8)
      return clamp((bytes<N>)_mm256_packs_epi16(_mm256_packs_epi32((__m256i)of[0], (__m256i)of[1]),
                                                _mm256_packs_epi32((__m256i)of[2], (__m256i)of[3])),
                   range);
    else
      return clamp((bytes<N>)_mm_packs_epi16(_mm_packs_epi32((__m128i)of[0], (__m128i)of[1]),
                                             _mm_packs_epi32((__m128i)of[2], (__m128i)of[3])),
                   range);
#else
    bytes<N> result;
    for (int32_t i = 0; i < 4 * N; ++i) {
      const int32_t x = of[i % 16 / 4][i / 16 * 4 + i % 4];
      result[i] = (int8_t)(x < range.min ? range.min : x > range.max ? range.max : x);
    }
    return result;
#endif
  }
  static AOTC_INLINE bytes<N> clamp(bytes<N> x, const output_range &range) {
    const bytes<N> low = (bytes<N>){} + (int8_t)range.min, high = (bytes<N>){} + (int8_t)range.max;
    x = x < low ? low : x;
    return x > high ? high : x;
  }
};

struct layer_data {
  const int8_t *weights;
  const int32_t *channels;
  int32_t how;
  output_range range;
};

/// `count` channels from c on; at(t, taps) gives four taps' pointers.
template <int32_t N, typename Taps>
AOTC_INLINE void convolve_group(const layer_data &d, int32_t quads, int8_t *y, int32_t c,
                                int32_t count, const Taps &at) {
  const int8_t *weights = d.weights + c * 4 * quads;
  const int32_t *channels = d.channels + c * AOTC_CHANNEL_VECTORS;
  sums<N> acc;
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < 4; ++v)
    acc.of[v] = load_lanes<N>(channels + v * AOTC_CHANNEL_VECTORS * N);
  for (int32_t q = 0; q < quads; ++q, weights += 16 * N) {
    const int8_t *taps[4];
#pragma clang loop unroll(full)
    for (int32_t t = 0; t < 4; ++t)
      taps[t] = at(4 * q + t) + c;
    acc.add(taps, weights, count);
  }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < 4; ++v)
    acc.of[v] =
        requantize_words<N>(acc.of[v], channels + v * AOTC_CHANNEL_VECTORS * N, d.how, d.range);
  store_lanes<4 * N>(y + c, acc.pack(d.range), count);
}

/// All channels of a pixel.
template <typename Taps>
AOTC_INLINE void convolve_pixel(const layer_data &d, int32_t channels, int32_t quads, int8_t *y,
                                int32_t descending, const Taps &at) {
  const int32_t groups = (channels + 63) / 64;
  for (int32_t g = 0; g < groups; ++g) {
    const int32_t c = aotc_directed(g, groups, descending) * 64;
    const int32_t left = channels - c, count = left < 64 ? left : 64;
    if (count > 32)
      convolve_group<16>(d, quads, y, c, count, at);
    else if (count > 16)
      convolve_group<8>(d, quads, y, c, count, at);
    else
      convolve_group<4>(d, quads, y, c, count, at);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__avx512vnni) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_x86_shape, aotc_conv_2d_s8_layer);
  const layer_data d = {static_cast<const int8_t *>(data[0]),
                        static_cast<const int32_t *>(data[1]),
                        shape.requantize,
                        {layer.out_zero_point, layer.act_min, layer.act_max}};
  const int32_t quads = (shape.kernel_h * shape.kernel_w + 3) / 4;
  const int8_t **table = static_cast<const int8_t **>(scratch);
  int8_t *padding = reinterpret_cast<int8_t *>(table + 4 * quads);
  if (shape.padded)
    __builtin_memset(padding, layer.in_zero_point, (uint32_t)shape.in_c);

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    int8_t *out_row = static_cast<int8_t *>(out[row]);
    const bool rows_inside = !shape.padded || aotc_rows_present(window, shape.kernel_h,
                                                                shape.dilation_h) == shape.kernel_h;
    bool found = false; // the table has the taps of an inner pixel
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      const bool inside = taps_inside(shape, rows_inside, x);
      if (!inside || !found) {
        find_taps<4>(shape, window, x, padding, table);
        found = inside;
      } else { // as those of the pixel before
        const int32_t step = (descending ? -shape.stride_w : shape.stride_w) * shape.in_c;
        for (int32_t t = 0; t < 4 * quads; ++t)
          table[t] += step;
      }
      convolve_pixel(d, shape.in_c, quads, out_row + x * shape.in_c, descending,
                     [&](int32_t t) AOTC_INLINED { return table[t]; });
    }
  }
}
