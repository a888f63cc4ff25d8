// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, AVX2: thirty-two outputs at a time, pairs of inputs.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/fully_connected.h"
#include "targets/x86/kernels/requantize_s8.h"

namespace {

/// Adds the products of a pair of inputs.
template <int32_t Vectors>
AOTC_INLINE void add_pair(__m256i *acc, int16_t pair, const int8_t *weights) {
  const __m256i x = _mm256_cvtepi8_epi16(_mm_set1_epi16(pair));
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v) {
    const __m256i w =
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i *>(weights + 16 * v)));
    acc[v] = _mm256_add_epi32(acc[v], _mm256_madd_epi16(x, w));
  }
}

/// `count` outputs, in as many vectors.
template <int32_t Vectors>
AOTC_INLINE void multiply_group(const aotc_fully_connected_x86_shape &shape,
                                const output_range &range, const int8_t *x, const int8_t *weights,
                                const int32_t *channels, int8_t *y, int32_t count) {
  __m256i acc[Vectors];
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v)
    acc[v] = _mm256_setzero_si256();
  int32_t k = 0;
  for (; k + 2 <= shape.in_c; k += 2, weights += 16 * Vectors) {
    int16_t pair;
    __builtin_memcpy(&pair, x + k, 2);
    add_pair<Vectors>(acc, pair, weights);
  }
  if (k < shape.in_c)
    add_pair<Vectors>(acc, (uint8_t)x[k], weights);
  const int32_t shift = shape.requantize == AOTC_REQUANTIZE_ANY ? 0 : 2;
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v) {
    const int32_t *own = channels + v * AOTC_CHANNEL_WORDS;
    acc[v] = _mm256_add_epi32(_mm256_slli_epi32(acc[v], shift), load_words(own));
    acc[v] = requantize(acc[v], own, shape.requantize, range);
  }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; v += 2) {
    const int32_t left = count - 8 * v;
    if (v + 1 < Vectors)
      store_lanes<16>(y + 8 * v, (lanes<int8_t, 16>)pack_two(acc[v], acc[v + 1], range),
                      left < 16 ? left : 16);
    else
      store_lanes<16>(y + 8 * v, (lanes<int8_t, 16>)pack_one(acc[v], range), left);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_x86_shape, aotc_fully_connected_s8_layer);
  const int8_t *weights = static_cast<const int8_t *>(data[0]);
  const int32_t *channels = static_cast<const int32_t *>(data[1]);
  const output_range range = {layer.out_zero_point, layer.act_min, layer.act_max};
  const int32_t padded = (shape.in_c + 1) / 2 * 2;
  for_groups_of<int8_t, 8>(
      shape, in[0], out[0], descending,
      [&]<int32_t Vectors>(const int8_t *x, int8_t *y, int32_t c, int32_t count) AOTC_INLINED {
        multiply_group<Vectors>(shape, range, x, weights + c * padded,
                                channels + c / 8 * AOTC_CHANNEL_WORDS, y, count);
      });
}
