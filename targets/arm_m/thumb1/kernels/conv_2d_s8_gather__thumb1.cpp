// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, any window without groups, Armv6-M. The windows of a block of
// four (or two) pixels are gathered into scratch, widened, 8 (4) bytes per tap
// (thumb1_dot.h): a row of taps at a time, or, where some of it is missing or
// there is dilation, a column at a time. Missing columns are read from a pixel
// of zero points.
#include "targets/KernelABI.h"
#include "targets/arm_m/thumb1/kernels/conv_2d_thumb1.h"
#include "targets/arm_m/thumb1/kernels/thumb1_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// The windows of `pixels` neighbours, that of the first from `column` on.
AOTC_INLINE void gather(const aotc_conv_2d_gather_thumb1_layer &layer, const aotc_thumb1_layer &dot,
                        const void *const *window, const int8_t *zeros, int32_t column,
                        int32_t pixels) {
  const int32_t in_c = layer.in_c, in_w = layer.in_w, stride = layer.stride;
  const int32_t last = column + (pixels - 1) * stride + (layer.kernel_w - 1) * layer.column_step;
  const bool inside = layer.column_step == 1 && column >= 0 && last < in_w;
  int32_t at = 0;
#pragma clang loop unroll(disable)
  for (int32_t r = 0; r < layer.kernel_h; ++r) {
    const auto *x = static_cast<const int8_t *>(window[r * layer.dilation_h]);
    const bool whole = x && inside;
    const int32_t runs = whole ? 1 : layer.kernel_w;
    const int32_t run = whole ? layer.kernel_w * in_c : in_c;
    int32_t from = column;
#pragma clang loop unroll(disable)
    for (int32_t k = 0; k < runs; ++k, from += layer.column_step, at += run) {
      const int8_t *p[4];
#pragma clang loop unroll(disable)
      for (int32_t i = 0, c = from; i < 4; ++i) {
        p[i] = x && (uint32_t)c < (uint32_t)in_w ? x + c * in_c : zeros;
        if (i + 1 < pixels)
          c += stride;
      }
      aotc_thumb1_widen(p, dot, pixels, at, run);
    }
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8_gather__thumb1) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_gather_thumb1_shape, aotc_conv_2d_gather_thumb1_layer);
  const auto *stream = static_cast<const int32_t *>(data[0]);
  const auto *zeros = static_cast<const int8_t *>(data[1]);
  const aotc_thumb1_layer dot = {stream,     stream + layer.words, static_cast<int32_t *>(scratch),
                                 layer.taps, layer.out_c,          shape.tail,
                                 shape.turn};
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
    int32_t pixels;
#pragma clang loop unroll(disable)
    for (int32_t left = layer.out_w; left > 0; left -= pixels) {
      pixels = left < shape.pixels ? left : shape.pixels;
      const int32_t first = descending ? left - pixels : layer.out_w - left;
      gather(layer, dot, window, zeros, first * layer.stride - layer.pad_left, pixels);
      aotc_thumb1_pixels(dot, y + first * layer.out_c, pixels);
    }
  }
}
