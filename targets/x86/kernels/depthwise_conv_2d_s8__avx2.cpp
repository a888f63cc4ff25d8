// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, AVX2: sixteen channels of a pixel at a time.
// VPMADDWD multiplies two taps and adds them.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/depthwise_conv_2d.h"
#include "targets/x86/kernels/requantize_s8.h"

namespace {

struct sums {
  __m256i a, b; ///< channels 0-3, 8-11; 4-7, 12-15. A group of 8: a alone, 0-7
};

/// Words of a pair of taps' weights.
AOTC_INLINE int32_t pair_words(int32_t count) { return count <= 8 ? 16 : 32; }

/// Adds two taps' products, of a group of `count` channels.
AOTC_INLINE void add_taps(sums &acc, __m128i first, __m128i second, const int16_t *weights,
                          int32_t count) {
  const __m256i *w = reinterpret_cast<const __m256i *>(weights);
  if (count <= 8) {
    const __m256i pairs = _mm256_cvtepi8_epi16(_mm_unpacklo_epi8(first, second));
    acc.a = _mm256_add_epi32(acc.a, _mm256_madd_epi16(pairs, _mm256_loadu_si256(w)));
    return;
  }
  const __m256i x = _mm256_cvtepi8_epi16(first), y = _mm256_cvtepi8_epi16(second);
  acc.a = _mm256_add_epi32(acc.a,
                           _mm256_madd_epi16(_mm256_unpacklo_epi16(x, y), _mm256_loadu_si256(w)));
  acc.b = _mm256_add_epi32(
      acc.b, _mm256_madd_epi16(_mm256_unpackhi_epi16(x, y), _mm256_loadu_si256(w + 1)));
}

/// `count` channels' results of one pixel; sum(acc) adds up the taps.
template <typename Sum>
AOTC_INLINE void convolve_group(const int32_t *channels, int32_t how, const output_range &range,
                                int8_t *y, int32_t count, const Sum &sum) {
  const int32_t *second = channels + AOTC_CHANNEL_WORDS;
  sums acc = {load_words(channels), count <= 8 ? _mm256_setzero_si256() : load_words(second)};
  sum(acc);
  const __m256i a = requantize(acc.a, channels, how, range);
  const __m128i bytes =
      count <= 8 ? pack_one(a, range) : pack_two(a, requantize(acc.b, second, how, range), range);
  const __m128i order = _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
  store_lanes<16>(y, (lanes<int8_t, 16>)_mm_shuffle_epi8(bytes, order), count);
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_x86_shape, aotc_conv_2d_s8_layer);
  const int16_t *weights = static_cast<const int16_t *>(data[0]);
  const int32_t *channels = static_cast<const int32_t *>(data[1]);
  const output_range range = {layer.out_zero_point, layer.act_min, layer.act_max};
  const int32_t taps = shape.kernel_h * shape.kernel_w, pairs = (taps + 1) / 2;
  const int8_t **table = static_cast<const int8_t **>(scratch);
  int8_t *padding = reinterpret_cast<int8_t *>(table + 2 * pairs);
  if (shape.padded)
    __builtin_memset(padding, layer.in_zero_point, (uint32_t)shape.in_c);

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    const bool rows_inside = !shape.padded || aotc_rows_present(window, shape.kernel_h,
                                                                shape.dilation_h) == shape.kernel_h;
    int8_t *out_row = static_cast<int8_t *>(out[row]);
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      int8_t *y = out_row + x * shape.in_c;
      if (shape.kernel_h == 3 && shape.kernel_w == 3 && taps_inside(shape, rows_inside, x)) {
        const int32_t first = (x * shape.stride_w - shape.pad_left) * shape.in_c;
        const int32_t step = shape.dilation_w * shape.in_c;
        const int8_t *top = static_cast<const int8_t *>(window[0]) + first;
        const int8_t *middle = static_cast<const int8_t *>(window[shape.dilation_h]) + first;
        const int8_t *bottom = static_cast<const int8_t *>(window[2 * shape.dilation_h]) + first;
        for_groups<16>(shape, descending, [&](int32_t c, int32_t count) AOTC_INLINED {
          const int16_t *w = weights + c * 10;
          const int32_t step_w = pair_words(count);
          auto at = [&](const int8_t *pixel)
                        AOTC_INLINED { return (__m128i)load_lanes<16>(pixel + c, count); };
          convolve_group(
              channels + c / 8 * AOTC_CHANNEL_WORDS, shape.requantize, range, y + c, count,
              [&](sums &acc) AOTC_INLINED {
                add_taps(acc, at(top), at(top + step), w, count);
                add_taps(acc, at(top + 2 * step), at(middle), w + step_w, count);
                add_taps(acc, at(middle + step), at(middle + 2 * step), w + 2 * step_w, count);
                add_taps(acc, at(bottom), at(bottom + step), w + 3 * step_w, count);
                add_taps(acc, at(bottom + 2 * step), _mm_setzero_si128(), w + 4 * step_w, count);
              });
        });
        continue;
      }
      find_taps<2>(shape, window, x, padding, table);
      for_groups<16>(shape, descending, [&](int32_t c, int32_t count) AOTC_INLINED {
        const int16_t *w = weights + c * 2 * pairs;
        convolve_group(channels + c / 8 * AOTC_CHANNEL_WORDS, shape.requantize, range, y + c, count,
                       [&](sums &acc) AOTC_INLINED {
                         for (int32_t t = 0; t < 2 * pairs; t += 2, w += pair_words(count))
                           add_taps(acc, (__m128i)load_lanes<16>(table[t] + c, count),
                                    (__m128i)load_lanes<16>(table[t + 1] + c, count), w, count);
                       });
      });
    }
  }
}
