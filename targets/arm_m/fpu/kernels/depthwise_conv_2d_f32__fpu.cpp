// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, scalar FPU: four pixels x four channels
// (conv_fpu.h). A table in scratch says where each tap of each pixel is, for all
// groups of channels; missing ones read zeros.
#include "targets/KernelABI.h"
#include "targets/arm_m/fpu/kernels/depthwise_conv_2d_fpu.h"

namespace {

/// Channels c <= k < c + Channels of a block, stored at `to`.
template <int32_t Channels>
AOTC_FPU_INLINE void convolve(const float **x, const float **end, int32_t c, const float *bias,
                              float_bounds bounds, float *to, int32_t step, int32_t pixels) {
  const float *w = bias + AOTC_FPU_CHANNELS;
  float_tile tile;
#pragma clang loop unroll(disable)
  for (; x != end; x += AOTC_FPU_PIXELS, w += AOTC_FPU_CHANNELS)
    tile.add<Channels>(x, c, 1, w);
  tile.store(bias, bounds, to, step, pixels, Channels);
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_f32__fpu) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_fpu_shape, aotc_depthwise_conv_2d_fpu_layer);
  const auto *constants = static_cast<const float *>(data[0]);
  const auto *zeros = static_cast<const float *>(shape.padded ? data[1] : nullptr);
  const float_bounds bounds = {aotc_float_of_bits(layer.act_min_bits),
                               aotc_float_of_bits(layer.act_max_bits)};
  const int32_t all = layer.channels, taps = layer.kernel_h * layer.kernel_w;
  auto *results = static_cast<float *>(scratch);
  auto **table = reinterpret_cast<const float **>(
      results + (all > AOTC_FPU_CHANNELS ? AOTC_FPU_PIXELS * all : 0));
  const int32_t group_words = AOTC_FPU_CHANNELS * (1 + taps);
  auto **table_end = table + AOTC_FPU_PIXELS * taps;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<float *>(out[row]);
    for_blocks(layer.out_w, descending, [&](int32_t first, int32_t pixels) AOTC_FPU_INLINED {
      const float **entry = table;
#pragma clang loop unroll(disable)
      for (int32_t ky = 0; ky < layer.kernel_h; ++ky) {
        const auto *from = static_cast<const float *>(window[ky * layer.dilation_h]);
        int32_t tap = first * layer.stride_w - layer.pad_left;
#pragma clang loop unroll(disable)
        for (int32_t kx = 0; kx < layer.kernel_w; ++kx, tap += layer.dilation_w) {
          int32_t at = tap;
#pragma clang loop unroll(disable)
          for (int32_t p = 0; p < AOTC_FPU_PIXELS; ++p) {
            const bool inside = !shape.padded || (from && (uint32_t)at < (uint32_t)layer.in_w);
            *entry++ = inside ? from + at * all : zeros;
            // The last one stands in for pixels behind the row's end.
            if (p + 1 < pixels)
              at += layer.stride_w;
          }
        }
      }
      for_channels(all, pixels, y + first * all, results,
                   [&](int32_t c, int32_t channels, float *to) AOTC_FPU_INLINED {
                     const float *bias = constants + c / AOTC_FPU_CHANNELS * group_words;
                     if (channels >= AOTC_FPU_CHANNELS)
                       return convolve<AOTC_FPU_CHANNELS>(table, table_end, c, bias, bounds, to,
                                                          all, pixels);
#pragma clang loop unroll(disable)
                     for (int32_t k = 0; k < channels; ++k)
                       convolve<1>(table, table_end, c + k, bias + k, bounds, to + k, all, pixels);
                   });
    });
  }
}
