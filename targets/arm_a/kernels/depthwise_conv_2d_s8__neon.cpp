// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, NEON: four pixels (on 32-bit CPUs two) x eight channels,
// two taps at a time.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_s8.h"
#include "targets/arm_a/kernels/depthwise_s8.h"
#include "targets/generic/kernels/conv_2d.h"

namespace {

/// There are 32 vector registers, or 16.
constexpr int32_t most_pixels = sizeof(void *) == 8 ? 4 : 2;

struct depthwise_data {
  const int8_t *weights;
  const int32_t *channels, *offsets;
  output_range range;
};

/// `count` channels, eight or fewer, of Pixels pixels. Loops over pixels must
/// vanish, for the sums to stand in registers.
template <int32_t Pixels>
AOTC_INLINE void convolve_group(const aotc_depthwise_conv_2d_neon_shape &shape,
                                const depthwise_data &d, const int8_t *copied, int8_t *y,
                                int32_t count) {
  const aotc_pixel_block_shape &block = shape.block;
  const depthwise_group group(d.channels);
  depthwise_sums acc[Pixels];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
    acc[p] = group.first();
  const int32_t taps = block.kernel_h * block.kernel_w;
  const int8_t *weights = d.weights;
  for (int32_t t = 0; t < taps; t += 2, weights += 2 * depthwise_channels) {
    const int8x8_t w = vld1_s8(weights), v = vld1_s8(weights + depthwise_channels);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p) {
      const int8_t *x = copied + p * block.pixel_step;
      acc[p].add(vld1_s8(x + d.offsets[t]), w, vld1_s8(x + d.offsets[t + 1]), v, shape.pairs);
    }
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
    store_bytes(y + p * block.out_c, group.last(acc[p], shape.requantize, d.range), count);
}

/// All channels of Pixels pixels.
template <int32_t Pixels>
AOTC_INLINE void convolve(const aotc_depthwise_conv_2d_neon_shape &shape, depthwise_data d,
                          const int8_t *copied, int8_t *y) {
  const aotc_pixel_block_shape &block = shape.block;
  if constexpr (Pixels > most_pixels) {
    convolve<most_pixels>(shape, d, copied, y);
    convolve<Pixels - most_pixels>(shape, d, copied + most_pixels * block.pixel_step,
                                   y + most_pixels * block.out_c);
  } else {
    const int32_t taps = (block.kernel_h * block.kernel_w + 1) / 2 * 2;
    int32_t c = 0;
    for (; c + depthwise_channels <= block.out_c; c += depthwise_channels) {
      convolve_group<Pixels>(shape, d, copied + c, y + c, depthwise_channels);
      d.weights += taps * depthwise_channels;
      d.channels += 2 * AOTC_NEON_CHANNEL_WORDS;
    }
    if (c < block.out_c)
      convolve_group<Pixels>(shape, d, copied + c, y + c, block.out_c - c);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_neon_shape, aotc_conv_2d_s8_layer);
  const depthwise_data d = {static_cast<const int8_t *>(data[0]),
                            static_cast<const int32_t *>(data[1]),
                            static_cast<const int32_t *>(data[2]),
                            {layer.out_zero_point, layer.act_min, layer.act_max}};
  for_copied_blocks<AOTC_DEPTHWISE_NEON_PIXELS, int8_t>(
      shape.block, copy_bytes{(int8_t)layer.in_zero_point}, in, out, static_cast<int8_t *>(scratch),
      rows, descending, [&]<int32_t Pixels>(const int8_t *copied, int8_t *y) AOTC_INLINED {
        convolve<Pixels>(shape, d, copied, y);
      });
}
