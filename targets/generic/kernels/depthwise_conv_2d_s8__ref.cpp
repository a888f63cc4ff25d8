// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any kernel, stride, dilation and multiplier. Sums
// wrap.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/window.h"

/// One output value without bias: every out_c-th weight from `w` on, over
/// channel `channel` of the rows of `window`; every tap lies in the image.
static inline uint32_t convolve_inside(const aotc_depthwise_conv_2d_shape &shape,
                                       const void *const *window, const int8_t *w, int32_t origin,
                                       int32_t channel) {
  const int32_t step = shape.in_c * shape.multiplier;
  uint32_t sum = 0;
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky) {
    const int8_t *row = static_cast<const int8_t *>(window[ky * shape.dilation_h]);
    for (int32_t kx = 0; kx < shape.kernel_w; ++kx, w += step)
      sum += (uint32_t)(row[(origin + kx * shape.dilation_w) * shape.in_c + channel] * *w);
  }
  return sum;
}

/// The same where some taps lie outside, as if they read the zero point. Few
/// pixels do: small rather than quick.
static inline uint32_t convolve_border(const aotc_depthwise_conv_2d_shape &shape,
                                       const void *const *window, const int8_t *w, int32_t origin,
                                       int32_t channel, int32_t zero_point) {
  const int32_t step = shape.in_c * shape.multiplier;
  uint32_t sum = 0;
#pragma clang loop unroll(disable)
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky) {
    const int8_t *row = static_cast<const int8_t *>(window[ky * shape.dilation_h]);
#pragma clang loop unroll(disable)
    for (int32_t kx = 0; kx < shape.kernel_w; ++kx, w += step) {
      const int32_t x = origin + kx * shape.dilation_w;
      const int32_t value =
          row && x >= 0 && x < shape.in_w ? row[x * shape.in_c + channel] : zero_point;
      sum += (uint32_t)(value * *w);
    }
  }
  return sum;
}

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_shape, aotc_conv_2d_s8_layer);
  const int8_t *weights = static_cast<const int8_t *>(data[0]);
  const int32_t *bias = static_cast<const int32_t *>(data[1]);
  const aotc_multiplier *multipliers = static_cast<const aotc_multiplier *>(data[2]);
  const int32_t out_c = shape.in_c * shape.multiplier;

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t y = aotc_directed(i, rows, descending);
    const void *const *window = in + y * shape.stride_h;
    const bool rows_inside = !shape.padded || aotc_rows_present(window, shape.kernel_h,
                                                                shape.dilation_h) == shape.kernel_h;
    int8_t *out_row = static_cast<int8_t *>(out[y]);
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      const int32_t origin = x * shape.stride_w - shape.pad_left;
      const bool inside =
          !shape.padded || (rows_inside && origin >= 0 &&
                            origin + (shape.kernel_w - 1) * shape.dilation_w < shape.in_w);
      int8_t *pixel = out_row + x * out_c;
      for (int32_t k = 0; k < shape.in_c; ++k) {
        const int32_t channel = aotc_directed(k, shape.in_c, descending);
        for (int32_t m = 0; m < shape.multiplier; ++m) {
          const int32_t c =
              channel * shape.multiplier + aotc_directed(m, shape.multiplier, descending);
          uint32_t sum = inside ? convolve_inside(shape, window, weights + c, origin, channel)
                                : convolve_border(shape, window, weights + c, origin, channel,
                                                  layer.in_zero_point);
          // Last: registers are few.
          sum += (uint32_t)bias[c];
          pixel[c] =
              aotc_requantize_s8(sum, multipliers[shape.per_channel ? c : 0], shape.left_shift,
                                 layer.out_zero_point, layer.act_min, layer.act_max);
        }
      }
    }
  }
}
