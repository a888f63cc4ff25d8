// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, NEON: four pixels (on 32-bit CPUs two) x eight
// channels; each sum runs in the order of the weights.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_f32.h"
#include "targets/arm_a/kernels/floats.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/float_clamp.h"

namespace {

constexpr int32_t channels_at_once = AOTC_DEPTHWISE_F32_NEON_CHANNELS;
/// There are 32 vector registers, or 16.
constexpr int32_t most_pixels = sizeof(void *) == 8 ? 4 : 2;

/// `count` channels, eight or fewer, of Pixels pixels. Loops over pixels must
/// vanish, for the sums to stand in registers.
template <int32_t Pixels>
AOTC_INLINE void convolve_group(const aotc_pixel_block_shape &shape, const float_range<4> &range,
                                const float *weights, const int32_t *offsets, const float *copied,
                                float *y, int32_t count) {
  float32x4_t low[Pixels] = {}, high[Pixels] = {};
  const float32x4_t low_bias = vld1q_f32(weights), high_bias = vld1q_f32(weights + 4);
  auto add_tap = [&](int32_t offset) AOTC_INLINED {
    weights += channels_at_once;
    const float32x4_t w = vld1q_f32(weights), v = vld1q_f32(weights + 4);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p) {
      const float *x = copied + p * shape.pixel_step + offset;
      low[p] = add_product(low[p], w, vld1q_f32(x));
      high[p] = add_product(high[p], v, vld1q_f32(x + 4));
    }
  };
  if (shape.kernel_h == 3 && shape.kernel_w == 3) {
#pragma clang loop unroll(full)
    for (int32_t t = 0; t < 9; ++t)
      add_tap(t / 3 * shape.run_step + t % 3 * shape.dilation_w * shape.in_c);
  } else {
    const int32_t taps = shape.kernel_h * shape.kernel_w;
    for (int32_t t = 0; t < taps; ++t)
      add_tap(offsets[t]);
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p) {
    store_lanes<4>(y + p * shape.out_c, clamp_sum(range, low[p] + low_bias), count);
    if (count > 4)
      store_lanes<4>(y + p * shape.out_c + 4, clamp_sum(range, high[p] + high_bias), count - 4);
  }
}

/// All channels of Pixels pixels.
template <int32_t Pixels>
AOTC_INLINE void convolve(const aotc_pixel_block_shape &shape, const float_range<4> &range,
                          const float *weights, const int32_t *offsets, const float *copied,
                          float *y) {
  if constexpr (Pixels > most_pixels) {
    convolve<most_pixels>(shape, range, weights, offsets, copied, y);
    convolve<Pixels - most_pixels>(shape, range, weights, offsets,
                                   copied + most_pixels * shape.pixel_step,
                                   y + most_pixels * shape.out_c);
  } else {
    const int32_t filter = 1 + shape.kernel_h * shape.kernel_w; // with the bias
    int32_t c = 0;
    for (; c + channels_at_once <= shape.out_c; c += channels_at_once)
      convolve_group<Pixels>(shape, range, weights + c * filter, offsets, copied + c, y + c,
                             channels_at_once);
    if (c < shape.out_c)
      convolve_group<Pixels>(shape, range, weights + c * filter, offsets, copied + c, y + c,
                             shape.out_c - c);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_f32__neon) {
  AOTC_KERNEL_ARGS(aotc_pixel_block_shape, aotc_conv_2d_f32_layer);
  const float *weights = static_cast<const float *>(data[0]);
  const int32_t *offsets = static_cast<const int32_t *>(data[1]);
  const float_range<4> range = {aotc_float_of_bits(layer.act_min_bits),
                                aotc_float_of_bits(layer.act_max_bits)};
  for_copied_blocks<AOTC_DEPTHWISE_F32_NEON_PIXELS, float>(
      shape, copy_floats(), in, out, static_cast<float *>(scratch), rows, descending,
      [&]<int32_t Pixels>(const float *copied, float *y)
          AOTC_INLINED { convolve<Pixels>(shape, range, weights, offsets, copied, y); });
}
