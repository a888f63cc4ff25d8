// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, float32, for Cortex-M: parameters, shared by host and device, and the
// kernel (conv_f32.h). Any window: a row of taps inside the image is one run of
// inputs; where some pixel misses one, each tap is, and missing ones read zeros.
#pragma once

#include "targets/arm_m/kernels/conv_f32.h"

struct aotc_conv_2d_f32_arm_m_shape {
  int32_t padded; ///< some tap lies outside the image, in a row or column
};

/// data: for each four output channels biases, then weights, for each tap four
/// channels, absent ones 0; if padded, as many zeros as an input pixel has channels.
/// scratch: four output pixels, if they have more than four channels.
struct aotc_conv_2d_f32_arm_m_layer {
  int32_t in_w, in_c; ///< pixels of an input row, channels of a pixel
  int32_t out_w, out_c;
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t pad_left; ///< pixels
  int32_t act_min_bits, act_max_bits;
};

#if !defined(AOTC_HOST) && defined(__arm__)
#include "targets/KernelABI.h"

namespace {

/// `count` inputs of each pixel; returns the weights behind theirs.
AOTC_INLINE const float *add_run(float_tile &tile, const float *const *from, int32_t count,
                                 const float *w) {
  const float *x0 = from[0], *x1 = from[1], *x2 = from[2], *x3 = from[3];
  auto add = [&](int32_t i) AOTC_INLINED {
    const float *x[pixels_at_once] = {x0, x1, x2, x3};
    tile.add(x, i, w + i * channels_at_once);
  };
  auto advance = [&](int32_t inputs) AOTC_INLINED {
    x0 += inputs, x1 += inputs, x2 += inputs, x3 += inputs;
    w += inputs * channels_at_once;
    count -= inputs;
  };
#pragma clang loop unroll(disable)
  while (count >= 4) {
    add(0), add(1), add(2), add(3);
    advance(4);
  }
#pragma clang loop unroll(disable)
  while (count > 0) {
    add(0);
    advance(1);
  }
  return w;
}

AOTC_INLINE void convolve(const aotc_conv_2d_f32_arm_m_shape &shape,
                          const aotc_conv_2d_f32_arm_m_layer &layer, const void *const *in,
                          void *const *out, const void *const *data, void *scratch, int32_t rows,
                          int32_t descending) {
  const auto *constants = static_cast<const float *>(data[0]);
  const auto *zeros = static_cast<const float *>(shape.padded ? data[1] : nullptr);
  const float_range<channels_at_once> range = {aotc_float_of_bits(layer.act_min_bits),
                                               aotc_float_of_bits(layer.act_max_bits)};
  const int32_t in_c = layer.in_c, out_c = layer.out_c, kernel_w = layer.kernel_w;
  const int32_t row_taps = kernel_w * in_c;
  const int32_t reach = (kernel_w - 1) * layer.dilation_w;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<float *>(out[row]);
    for_blocks(layer.out_w, descending, [&](int32_t first, int32_t pixels) AOTC_INLINED {
      const int32_t origin = first * layer.stride_w - layer.pad_left;
      const int32_t last = origin + (pixels - 1) * layer.stride_w;
      const bool whole =
          layer.dilation_w == 1 && (!shape.padded || (origin >= 0 && last + reach < layer.in_w));
      const int32_t runs = whole ? 1 : kernel_w, run = whole ? row_taps : in_c;
      for_channels(out_c, pixels, y + first * out_c, static_cast<float *>(scratch),
                   [&](int32_t c, int32_t channels, float *to) AOTC_INLINED {
                     const float *bias = constants + c * (1 + layer.kernel_h * row_taps);
                     const float *w = bias + channels_at_once;
                     float_tile tile;
#pragma clang loop unroll(disable)
                     for (int32_t ky = 0; ky < layer.kernel_h; ++ky) {
                       const auto *from = static_cast<const float *>(window[ky * layer.dilation_h]);
                       if (shape.padded && !from) {
                         w += row_taps * channels_at_once;
                         continue;
                       }
#pragma clang loop unroll(disable)
                       for (int32_t kx = 0; kx < runs; ++kx) {
                         const float *x[pixels_at_once];
                         int32_t at = origin + kx * layer.dilation_w;
#pragma clang loop unroll(full)
                         for (int32_t p = 0; p < pixels_at_once; ++p) {
                           // The last one stands in for pixels behind the row's end.
                           const bool inside = !shape.padded || (uint32_t)at < (uint32_t)layer.in_w;
                           x[p] = inside ? from + at * in_c : zeros;
                           if (p + 1 < pixels)
                             at += layer.stride_w;
                         }
                         w = add_run(tile, x, run, w);
                       }
                     }
                     tile.store(bias, range, to, out_c, pixels, channels);
                   });
    });
  }
}

} // namespace
#endif
