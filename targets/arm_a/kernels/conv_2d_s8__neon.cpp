// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, NEON: four pixels x four channels, sixteen elements of a run at a
// time; on 32-bit CPUs, which have half the registers, two pixels.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/conv_2d_s8.h"
#include "targets/arm_a/kernels/products_s8.h"
#include "targets/arm_a/kernels/requantize_s8.h"
#include "targets/generic/kernels/conv_2d.h"

namespace {

/// There are 32 vector registers, or 16.
constexpr int32_t most_pixels = sizeof(void *) == 8 ? 4 : 2;

/// `count` (at most four) channels of each pixel.
template <int32_t Pixels>
AOTC_INLINE void store_pixels(const int32x4_t *results, int32_t how, const output_range &range,
                              int8_t *y, int32_t out_c, int32_t count) {
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; p += 2) {
    const bool two = p + 1 < Pixels;
    const int8x8_t bytes =
        clamp_bytes(narrow(results[p], results[two ? p + 1 : p], how, range), range);
    store_bytes(y + p * out_c, bytes, count);
    if (two)
      store_bytes(y + (p + 1) * out_c, vext_s8(bytes, bytes, 4), count);
  }
}

/// `count` channels, four or fewer, of Pixels pixels; returns the next weights.
/// Loops over pixels and channels must vanish, for the sums to stand in registers.
template <int32_t Pixels>
AOTC_INLINE const int8_t *convolve_group(const aotc_conv_2d_neon_shape &shape,
                                         const output_range &range, const int8_t *weights,
                                         const int32_t *channels, const int8_t *copied, int8_t *y,
                                         int32_t count) {
  const aotc_pixel_block_shape &block = shape.block;
  const pair_products products = {shape.pairs};
  int32x4_t acc[Pixels][4];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
#pragma clang loop unroll(full)
    for (int32_t c = 0; c < 4; ++c)
      acc[p][c] = vdupq_n_s32(0);
  for (int32_t r = 0; r < block.runs; ++r, copied += block.run_step)
    for (int32_t i = 0; i < block.run_length; i += 16, weights += 64) {
      int8x16_t x[Pixels], w[4];
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p)
        x[p] = vld1q_s8(copied + p * block.pixel_step + i);
#pragma clang loop unroll(full)
      for (int32_t c = 0; c < 4; ++c)
        w[c] = vld1q_s8(weights + 16 * c);
#pragma clang loop unroll(full)
      for (int32_t c = 0; c < 4; ++c)
#pragma clang loop unroll(full)
        for (int32_t p = 0; p < Pixels; ++p) {
          acc[p][c] = products(acc[p][c], w[c], x[p]);
          if (c < 3)
            use_after(w[c + 1], acc[p][c]);
        }
    }
  const channel_group group(channels);
  int32x4_t results[Pixels];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p) {
    const int32x4_t sums = sum_each(acc[p][0], acc[p][1], acc[p][2], acc[p][3]);
    results[p] = requantize(vaddq_s32(sums, group.bias), group, shape.requantize, range);
  }
  store_pixels<Pixels>(results, shape.requantize, range, y, block.out_c, count);
  return weights;
}

struct conv_data {
  const int8_t *weights;
  const int32_t *channels;
  output_range range;
};

/// All channels of Pixels pixels.
template <int32_t Pixels>
AOTC_INLINE void convolve(const aotc_conv_2d_neon_shape &shape, conv_data d, const int8_t *copied,
                          int8_t *y) {
  const aotc_pixel_block_shape &block = shape.block;
  if constexpr (Pixels > most_pixels) {
    convolve<most_pixels>(shape, d, copied, y);
    convolve<Pixels - most_pixels>(shape, d, copied + most_pixels * block.pixel_step,
                                   y + most_pixels * block.out_c);
  } else {
    int32_t c = 0;
    for (; c + 4 <= block.out_c; c += 4, d.channels += AOTC_NEON_CHANNEL_WORDS)
      d.weights = convolve_group<Pixels>(shape, d.range, d.weights, d.channels, copied, y + c, 4);
    if (c < block.out_c)
      convolve_group<Pixels>(shape, d.range, d.weights, d.channels, copied, y + c, block.out_c - c);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_neon_shape, aotc_conv_2d_s8_layer);
  const conv_data d = {static_cast<const int8_t *>(data[0]),
                       static_cast<const int32_t *>(data[1]),
                       {layer.out_zero_point, layer.act_min, layer.act_max}};
  for_copied_blocks<AOTC_CONV_2D_NEON_PIXELS, int8_t>(
      shape.block, copy_bytes{(int8_t)layer.in_zero_point}, in, out, static_cast<int8_t *>(scratch),
      rows, descending, [&]<int32_t Pixels>(const int8_t *copied, int8_t *y) AOTC_INLINED {
        convolve<Pixels>(shape, d, copied, y);
      });
}
