// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, float32, scalar FPU: any window (conv_fpu.h). A row of taps inside
// the image is one run of inputs; where some pixel misses one, each tap is, and
// missing ones read zeros.
#include "targets/KernelABI.h"
#include "targets/arm_m/fpu/kernels/conv_2d_fpu.h"

namespace {

/// `count` inputs of each pixel; returns the weights behind theirs.
AOTC_FPU_INLINE const float *add_run(float_tile &tile, const float *const *from, int32_t count,
                                     const float *w) {
  const float *x0 = from[0], *x1 = from[1], *x2 = from[2], *x3 = from[3];
  auto add = [&](int32_t i) AOTC_FPU_INLINED {
    const float *x[AOTC_FPU_PIXELS] = {x0, x1, x2, x3};
    tile.add<AOTC_FPU_CHANNELS>(x, i, 0, w + i * AOTC_FPU_CHANNELS);
  };
  auto advance = [&](int32_t inputs) AOTC_FPU_INLINED {
    x0 += inputs, x1 += inputs, x2 += inputs, x3 += inputs;
    w += inputs * AOTC_FPU_CHANNELS;
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

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_f32__fpu) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_fpu_shape, aotc_conv_2d_fpu_layer);
  const auto *constants = static_cast<const float *>(data[0]);
  const auto *zeros = static_cast<const float *>(shape.padded ? data[1] : nullptr);
  const float_bounds bounds = {aotc_float_of_bits(layer.act_min_bits),
                               aotc_float_of_bits(layer.act_max_bits)};
  const int32_t in_c = layer.in_c, out_c = layer.out_c, kernel_w = layer.kernel_w;
  const int32_t row_taps = kernel_w * in_c;
  const int32_t reach = (kernel_w - 1) * layer.dilation_w;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<float *>(out[row]);
    for_blocks(layer.out_w, descending, [&](int32_t first, int32_t pixels) AOTC_FPU_INLINED {
      const int32_t origin = first * layer.stride_w - layer.pad_left;
      const int32_t last = origin + (pixels - 1) * layer.stride_w;
      const bool whole =
          layer.dilation_w == 1 && (!shape.padded || (origin >= 0 && last + reach < layer.in_w));
      const int32_t runs = whole ? 1 : kernel_w, run = whole ? row_taps : in_c;
      for_channels(out_c, pixels, y + first * out_c, static_cast<float *>(scratch),
                   [&](int32_t c, int32_t channels, float *to) AOTC_FPU_INLINED {
                     const float *bias = constants + c * (1 + layer.kernel_h * row_taps);
                     const float *w = bias + AOTC_FPU_CHANNELS;
                     float_tile tile;
#pragma clang loop unroll(disable)
                     for (int32_t ky = 0; ky < layer.kernel_h; ++ky) {
                       const auto *from = static_cast<const float *>(window[ky * layer.dilation_h]);
                       if (shape.padded && !from) {
                         w += row_taps * AOTC_FPU_CHANNELS;
                         continue;
                       }
#pragma clang loop unroll(disable)
                       for (int32_t kx = 0; kx < runs; ++kx) {
                         const float *x[AOTC_FPU_PIXELS];
                         int32_t at = origin + kx * layer.dilation_w;
#pragma clang loop unroll(full)
                         for (int32_t p = 0; p < AOTC_FPU_PIXELS; ++p) {
                           // The last one stands in for pixels behind the row's end.
                           const bool inside = !shape.padded || (uint32_t)at < (uint32_t)layer.in_w;
                           x[p] = inside ? from + at * in_c : zeros;
                           if (p + 1 < pixels)
                             at += layer.stride_w;
                         }
                         w = add_run(tile, x, run, w);
                       }
                     }
                     tile.store(bias, bounds, to, out_c, pixels, channels);
                   });
    });
  }
}
