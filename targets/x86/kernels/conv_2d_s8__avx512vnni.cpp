// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, AVX-512 VNNI: up to eight pixels x thirty-two channels in
// registers, four inputs at a time.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/x86/kernels/bytes_vnni.h"
#include "targets/x86/kernels/conv_2d.h"

namespace {

constexpr int32_t N = 16; ///< lanes

/// int8 to uint8, 128 higher.
struct flip {
  uint8_t padding;

  AOTC_INLINE void operator()(const int8_t *from, uint8_t *to, int32_t count) const {
    int32_t i = 0;
    for (; i + 32 <= count; i += 32)
      store_lanes<32>(to + i, (lanes<uint8_t, 32>)load_lanes<32>(from + i) ^ 0x80);
    for (; i < count; ++i)
      to[i] = (uint8_t)from[i] ^ 0x80;
  }
  AOTC_INLINE void pad(uint8_t *to, int32_t count) const {
    for (int32_t i = 0; i < count; ++i)
      to[i] = padding;
  }
};

struct layer_data {
  const int8_t *weights;
  const int32_t *channels;
  output_range range;
};

/// Channels c <= k < c + N * Vectors of Pixels pixels. Loops over pixels and
/// vectors must vanish, for the accumulators to stand in registers.
template <int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_group(const aotc_conv_2d_x86_shape &shape, layer_data &d,
                                const uint8_t *copied, int8_t *y, int32_t c) {
  words<N> acc[Pixels][Vectors];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      acc[p][v] = load_lanes<N>(d.channels + v * AOTC_CHANNEL_VECTORS * N);
  for (int32_t r = 0; r < shape.runs; ++r, copied += shape.run_step)
    for (int32_t i = 0; i < shape.run_length; i += 4, d.weights += 4 * N * Vectors) {
      words<N> w[Vectors];
#pragma clang loop unroll(full)
      for (int32_t v = 0; v < Vectors; ++v)
        w[v] = (words<N>)load_lanes<4 * N>(d.weights + 4 * N * v);
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p) {
        int32_t four;
        __builtin_memcpy(&four, copied + i + p * shape.pixel_step, 4);
        const words<N> x = (words<N>){} + four;
#pragma clang loop unroll(full)
        for (int32_t v = 0; v < Vectors; ++v)
          acc[p][v] = add_products<N>(acc[p][v], x, w[v]);
      }
    }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v, d.channels += AOTC_CHANNEL_VECTORS * N)
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p)
      store_lanes<N>(
          y + p * shape.out_c + c + N * v,
          to_bytes<N>(requantize_words<N>(acc[p][v], d.channels, shape.requantize, d.range),
                      d.range),
          shape.out_c - c - N * v);
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8__avx512vnni) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_x86_shape, aotc_conv_2d_s8_layer);
  const layer_data first = {static_cast<const int8_t *>(data[0]),
                            static_cast<const int32_t *>(data[1]),
                            {layer.out_zero_point, layer.act_min, layer.act_max}};
  const flip copy = {(uint8_t)(layer.in_zero_point + 128)};
  for_copied_blocks<AOTC_CONV_2D_MOST_PIXELS_VNNI, int8_t>(
      shape, copy, in, out, static_cast<uint8_t *>(scratch), rows, descending,
      [&]<int32_t Pixels>(const uint8_t *copied, int8_t *y) AOTC_INLINED {
        layer_data d = first;
        int32_t c = 0;
        for (; c + N < shape.out_c; c += 2 * N)
          convolve_group<Pixels, 2>(shape, d, copied, y, c);
        if (c < shape.out_c)
          convolve_group<Pixels, 1>(shape, d, copied, y, c);
      });
}
