// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, 1x1, Armv6-M: blocks of four (or two) pixels, whose inputs are
// widened once into scratch, 8 (4) bytes per channel (thumb1_dot.h).
#include "targets/KernelABI.h"
#include "targets/arm_m/thumb1/kernels/conv_2d_thumb1.h"
#include "targets/arm_m/thumb1/kernels/thumb1_dot.h"
#include "targets/generic/kernels/window.h"

AOTC_KERNEL_FN(aotc_conv_2d_s8_1x1__thumb1) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_1x1_thumb1_shape, aotc_conv_2d_1x1_thumb1_layer);
  const auto *stream = static_cast<const int32_t *>(data[0]);
  const aotc_thumb1_layer dot = {stream,     stream + layer.words, static_cast<int32_t *>(scratch),
                                 layer.taps, layer.out_c,          shape.tail,
                                 shape.turn};
  const int32_t step = layer.step;
  const int32_t count = rows ? rows : 1; // flat: one row
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < count; ++i) {
    const int32_t row = aotc_directed(i, count, descending);
    const auto *x = static_cast<const int8_t *>(in[row * layer.stride_h]);
    auto *y = static_cast<int8_t *>(out[row]);
    // Blocks from the front, or from the back.
    int32_t pixels;
#pragma clang loop unroll(disable)
    for (int32_t left = layer.pixels; left > 0; left -= pixels) {
      pixels = left < shape.pixels ? left : shape.pixels;
      const int32_t first = descending ? left - pixels : layer.pixels - left;
      const int8_t *p[4];
      p[0] = x + first * step;
#pragma clang loop unroll(full)
      for (int32_t k = 1; k < 4; ++k)
        p[k] = k < pixels ? p[k - 1] + step : p[k - 1];
      aotc_thumb1_widen(p, dot, pixels, 0, layer.in_c);
      aotc_thumb1_pixels(dot, y + first * layer.out_c, pixels);
    }
  }
}
