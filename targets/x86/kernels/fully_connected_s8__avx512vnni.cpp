// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, AVX-512 VNNI: thirty-two outputs at a time, four inputs.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/x86/kernels/bytes_vnni.h"
#include "targets/x86/kernels/fully_connected.h"

namespace {

constexpr int32_t N = 16; ///< lanes

/// Sums of even and odd quads stand apart: a sum alone would wait for itself.
template <int32_t Vectors> struct sums {
  words<N> even[Vectors], odd[Vectors];

  AOTC_INLINE void add(words<N> *to, const void *x, const int8_t *weights) {
    const words<N> input = broadcast_unsigned<N>(x);
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      to[v] = add_products<N>(to[v], input, (words<N>)load_lanes<4 * N>(weights + 4 * N * v));
  }
};

/// `count` outputs, in as many vectors.
template <int32_t Vectors>
AOTC_INLINE void multiply_group(const aotc_fully_connected_x86_shape &shape,
                                const output_range &range, const int8_t *x, const int8_t *weights,
                                const int32_t *channels, int8_t *y, int32_t count) {
  sums<Vectors> acc;
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v) {
    acc.even[v] = load_lanes<N>(channels + v * AOTC_CHANNEL_VECTORS * N);
    acc.odd[v] = (words<N>){};
  }
  constexpr int32_t step = 4 * N * Vectors; ///< weights of four inputs
  int32_t k = 0;
  for (; k + 8 <= shape.in_c; k += 8, weights += 2 * step) {
    acc.add(acc.even, x + k, weights);
    acc.add(acc.odd, x + k + 4, weights + step);
  }
  if (k + 4 <= shape.in_c) {
    acc.add(acc.even, x + k, weights);
    k += 4;
    weights += step;
  }
  if (k < shape.in_c) {
    int8_t last[4] = {};
    for (int32_t i = 0; k + i < shape.in_c; ++i)
      last[i] = x[k + i];
    acc.add(acc.odd, last, weights); // the absent ones' weights are 0
  }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v) {
    const words<N> result = requantize_words<N>(
        acc.even[v] + acc.odd[v], channels + v * AOTC_CHANNEL_VECTORS * N, shape.requantize, range);
    store_lanes<N>(y + N * v, to_bytes<N>(result, range), count - N * v);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__avx512vnni) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_x86_shape, aotc_fully_connected_s8_layer);
  const int8_t *weights = static_cast<const int8_t *>(data[0]);
  const int32_t *channels = static_cast<const int32_t *>(data[1]);
  const output_range range = {layer.out_zero_point, layer.act_min, layer.act_max};
  const int32_t padded = (shape.in_c + 3) / 4 * 4;
  for_groups_of<int8_t, N>(
      shape, in[0], out[0], descending,
      [&]<int32_t Vectors>(const int8_t *x, int8_t *y, int32_t c, int32_t count) AOTC_INLINED {
        multiply_group<Vectors>(shape, range, x, weights + c * padded,
                                channels + c * AOTC_CHANNEL_VECTORS, y, count);
      });
}
