// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, NEON with SDOT: four pixels x sixteen channels, four elements of
// a run at a time; lanes are channels.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/conv_2d_s8.h"
#include "targets/arm_a/kernels/requantize_s8.h"
#include "targets/generic/kernels/conv_2d.h"

namespace {

struct conv_data {
  const int8_t *weights;
  const int32_t *channels;
  output_range range;
};

/// The sums of Pixels pixels x 4 * Vectors channels. Loops over them must vanish,
/// for the sums to stand in registers.
template <int32_t Pixels, int32_t Vectors> struct sums {
  int32x4_t acc[Pixels][Vectors];

  /// Adds the products with four elements of each pixel's sixteen.
  template <int32_t Lane> AOTC_INLINE void add(const int8x16_t *x, const int8_t *&weights) {
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v, weights += 16) {
      const int8x16_t w = vld1q_s8(weights);
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p)
        acc[p][v] = vdotq_laneq_s32(acc[p][v], w, x[p], Lane);
    }
  }
};

/// `count` channels, 4 * Vectors or fewer, of Pixels pixels; moves on in d.
template <int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_group(const aotc_conv_2d_neon_shape &shape, conv_data &d,
                                const int8_t *copied, int8_t *y, int32_t count) {
  const aotc_pixel_block_shape &block = shape.block;
  sums<Pixels, Vectors> sum;
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v)
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p)
      sum.acc[p][v] = vld1q_s32(d.channels + v * AOTC_NEON_CHANNEL_WORDS);
  const int8_t *weights = d.weights;
  for (int32_t r = 0; r < block.runs; ++r, copied += block.run_step)
    for (int32_t i = 0; i < block.run_length; i += 16) {
      int8x16_t x[Pixels];
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p)
        x[p] = vld1q_s8(copied + p * block.pixel_step + i);
      const int32_t left = block.run_length - i;
      sum.template add<0>(x, weights);
      if (left > 4)
        sum.template add<1>(x, weights);
      if (left > 8)
        sum.template add<2>(x, weights);
      if (left > 12)
        sum.template add<3>(x, weights);
    }
  d.weights = weights;
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v, d.channels += AOTC_NEON_CHANNEL_WORDS) {
    const channel_group group(d.channels);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p)
      sum.acc[p][v] = requantize(sum.acc[p][v], group, shape.requantize, d.range);
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p) {
    int16x8_t halves[2];
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; v += 2)
      halves[v / 2] =
          narrow(sum.acc[p][v], sum.acc[p][v + 1 < Vectors ? v + 1 : v], shape.requantize, d.range);
    int8_t *to = y + p * block.out_c;
    if constexpr (Vectors > 2)
      store_bytes(to, clamp_bytes(halves[0], halves[1], d.range), count);
    else
      store_bytes(to, clamp_bytes(halves[0], d.range), count);
  }
}

/// The last channels, in as few vectors as hold them.
template <int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_rest(const aotc_conv_2d_neon_shape &shape, conv_data &d,
                               const int8_t *copied, int8_t *y, int32_t count) {
  if constexpr (Vectors > 1)
    if (count <= 4 * (Vectors - 1))
      return convolve_rest<Pixels, Vectors - 1>(shape, d, copied, y, count);
  convolve_group<Pixels, Vectors>(shape, d, copied, y, count);
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8__neon_dot) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_neon_shape, aotc_conv_2d_s8_layer);
  const conv_data layer_data = {static_cast<const int8_t *>(data[0]),
                                static_cast<const int32_t *>(data[1]),
                                {layer.out_zero_point, layer.act_min, layer.act_max}};
  for_copied_blocks<AOTC_CONV_2D_NEON_PIXELS, int8_t>(
      shape.block, copy_bytes{(int8_t)layer.in_zero_point}, in, out, static_cast<int8_t *>(scratch),
      rows, descending, [&]<int32_t Pixels>(const int8_t *copied, int8_t *y) AOTC_INLINED {
        conv_data d = layer_data;
        const int32_t channels = shape.block.out_c;
        int32_t c = 0;
        for (; c + 16 <= channels; c += 16)
          convolve_group<Pixels, 4>(shape, d, copied, y + c, 16);
        if (c < channels)
          convolve_rest<Pixels, 4>(shape, d, copied, y + c, channels - c);
      });
}
