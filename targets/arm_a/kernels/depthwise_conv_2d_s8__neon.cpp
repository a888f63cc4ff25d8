// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, NEON: four pixels (on 32-bit CPUs two) x eight channels,
// two taps at a time.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_s8.h"
#include "targets/arm_a/kernels/requantize_s8.h"
#include "targets/generic/kernels/conv_2d.h"

namespace {

constexpr int32_t channels_at_once = AOTC_DEPTHWISE_NEON_CHANNELS;
/// There are 32 vector registers, or 16.
constexpr int32_t most_pixels = sizeof(void *) == 8 ? 4 : 2;

/// The sums of eight channels.
struct sums {
  int32x4_t low, high;

  AOTC_INLINE void add(int16x8_t products) {
    low = vaddw_s16(low, vget_low_s16(products));
    high = vaddw_s16(high, vget_high_s16(products));
  }
};

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
  const channel_group low(d.channels), high(d.channels + AOTC_NEON_CHANNEL_WORDS);
  sums acc[Pixels];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
    acc[p] = {low.bias, high.bias};

  // Two taps of all pixels.
  auto add_taps = [&](int32_t first, int32_t second, const int8_t *weights) AOTC_INLINED {
    const int8x8_t w = vld1_s8(weights), v = vld1_s8(weights + channels_at_once);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p) {
      const int8_t *x = copied + p * block.pixel_step;
      const int16x8_t products = vmull_s8(vld1_s8(x + first), w);
      if (shape.pairs) {
        acc[p].add(vmlal_s8(products, vld1_s8(x + second), v));
      } else {
        acc[p].add(products);
        acc[p].add(vmull_s8(vld1_s8(x + second), v));
      }
    }
  };
  if (block.kernel_h == 3 && block.kernel_w == 3) {
    const int32_t step = block.dilation_w * block.in_c;
    const int8_t *w = d.weights;
    const int32_t middle = block.run_step, bottom = 2 * block.run_step;
    add_taps(0, step, w);
    add_taps(2 * step, middle, w + 16);
    add_taps(middle + step, middle + 2 * step, w + 32);
    add_taps(bottom, bottom + step, w + 48);
    const int8x8_t last = vld1_s8(w + 64);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p)
      acc[p].add(vmull_s8(vld1_s8(copied + p * block.pixel_step + bottom + 2 * step), last));
  } else {
    const int32_t taps = block.kernel_h * block.kernel_w;
    for (int32_t t = 0; t < taps; t += 2)
      add_taps(d.offsets[t], d.offsets[t + 1], d.weights + t * channels_at_once);
  }

#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p) {
    const int32x4_t a = requantize(acc[p].low, low, shape.requantize, d.range);
    const int32x4_t b = requantize(acc[p].high, high, shape.requantize, d.range);
    store_bytes(y + p * block.out_c, clamp_bytes(narrow(a, b, shape.requantize, d.range), d.range),
                count);
  }
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
    for (; c + channels_at_once <= block.out_c; c += channels_at_once) {
      convolve_group<Pixels>(shape, d, copied + c, y + c, channels_at_once);
      d.weights += taps * channels_at_once;
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
