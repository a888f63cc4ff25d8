// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, for Cortex-M: parameters, shared by host and device,
// and the kernel (conv_f32.h). A table in scratch says where each tap of each pixel
// is, for all groups of channels; missing ones read zeros.
#pragma once

#include "targets/arm_m/kernels/conv_f32.h"

struct aotc_depthwise_conv_2d_f32_arm_m_shape {
  int32_t padded; ///< some tap lies outside the image, in a row or column
};

/// data: for each four channels biases, then weights, for each tap four
/// channels, absent ones 0; if padded, `channels` zeros.
/// scratch: four output pixels, if they have more than four channels; a pointer
/// to each tap of four pixels.
struct aotc_depthwise_conv_2d_f32_arm_m_layer {
  int32_t in_w, channels; ///< pixels of an input row, channels of a pixel
  int32_t out_w;
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t pad_left; ///< pixels
  int32_t act_min_bits, act_max_bits;
};

#if !defined(AOTC_HOST) && defined(__arm__)
#include "targets/KernelABI.h"

namespace {

AOTC_INLINE void convolve_depthwise(const aotc_depthwise_conv_2d_f32_arm_m_shape &shape,
                                    const aotc_depthwise_conv_2d_f32_arm_m_layer &layer,
                                    const void *const *in, void *const *out,
                                    const void *const *data, void *scratch, int32_t rows,
                                    int32_t descending) {
  const auto *constants = static_cast<const float *>(data[0]);
  const auto *zeros = static_cast<const float *>(shape.padded ? data[1] : nullptr);
  const float_range<channels_at_once> range = {aotc_float_of_bits(layer.act_min_bits),
                                               aotc_float_of_bits(layer.act_max_bits)};
  const int32_t all = layer.channels, taps = layer.kernel_h * layer.kernel_w;
  auto *results = static_cast<float *>(scratch);
  auto **table = reinterpret_cast<const float **>(
      results + (all > channels_at_once ? pixels_at_once * all : 0));
  auto **table_end = table + pixels_at_once * taps;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<float *>(out[row]);
    for_blocks(layer.out_w, descending, [&](int32_t first, int32_t pixels) AOTC_INLINED {
      const float **entry = table;
#pragma clang loop unroll(disable)
      for (int32_t ky = 0; ky < layer.kernel_h; ++ky) {
        const auto *from = static_cast<const float *>(window[ky * layer.dilation_h]);
        int32_t tap = first * layer.stride_w - layer.pad_left;
#pragma clang loop unroll(disable)
        for (int32_t kx = 0; kx < layer.kernel_w; ++kx, tap += layer.dilation_w) {
          int32_t at = tap;
#pragma clang loop unroll(disable)
          for (int32_t p = 0; p < pixels_at_once; ++p) {
            const bool inside = !shape.padded || (from && (uint32_t)at < (uint32_t)layer.in_w);
            *entry++ = inside ? from + at * all : zeros;
            // The last one stands in for pixels behind the row's end.
            if (p + 1 < pixels)
              at += layer.stride_w;
          }
        }
      }
      for_channels(
          all, pixels, y + first * all, results,
          [&](int32_t c, int32_t channels, float *to) AOTC_INLINED {
            const float *bias = constants + c * (1 + taps), *w = bias;
            float_tile tile;
            auto add_taps = [&](const auto &load) AOTC_INLINED {
#pragma clang loop unroll(disable)
              for (const float **x = table; x != table_end; x += pixels_at_once)
                tile.add_channels(x, c, w += channels_at_once, load);
            };
            if (channels >= channels_at_once)
              add_taps([](const float *x) AOTC_INLINED { return load_lanes<channels_at_once>(x); });
            else
              add_taps([=](const float *x)
                           AOTC_INLINED { return load_lanes<channels_at_once>(x, channels); });
            tile.store(bias, range, to, all, pixels, channels);
          });
    });
  }
}

} // namespace
#endif
