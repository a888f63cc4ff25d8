// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, any kernel, stride, dilation and groups: one dot product per
// row of taps. Sums wrap.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/window.h"

static inline uint32_t dot(const int8_t *x, const int8_t *w, int32_t n) {
  uint32_t sum = 0;
  for (int32_t i = 0; i < n; ++i)
    sum += (uint32_t)(x[i] * w[i]);
  return sum;
}

/// One output value without bias: the filter `w` over the rows of `window`,
/// group channels from `first` on; every tap lies in the image.
static inline uint32_t convolve_inside(const aotc_conv_2d_shape &shape, const void *const *window,
                                       const int8_t *w, int32_t origin, int32_t first) {
  const int32_t depth = shape.in_c / shape.groups;
  uint32_t sum = 0;
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky, w += shape.kernel_w * depth) {
    const int8_t *row = static_cast<const int8_t *>(window[ky * shape.dilation_h]);
    if (shape.groups == 1 && shape.dilation_w == 1)
      sum += dot(row + origin * depth, w, shape.kernel_w * depth);
    else
      for (int32_t kx = 0; kx < shape.kernel_w; ++kx)
        sum +=
            dot(row + (origin + kx * shape.dilation_w) * shape.in_c + first, w + kx * depth, depth);
  }
  return sum;
}

/// The same where some taps lie outside, as if they read the zero point. Few
/// pixels do: small rather than quick.
static inline uint32_t convolve_border(const aotc_conv_2d_shape &shape, const void *const *window,
                                       const int8_t *w, int32_t origin, int32_t first,
                                       int32_t zero_point) {
  const int32_t depth = shape.in_c / shape.groups;
  uint32_t sum = 0;
#pragma clang loop unroll(disable)
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky) {
    const int8_t *row = static_cast<const int8_t *>(window[ky * shape.dilation_h]);
#pragma clang loop unroll(disable)
    for (int32_t kx = 0; kx < shape.kernel_w; ++kx) {
      const int32_t x = origin + kx * shape.dilation_w;
      const int8_t *pixel =
          row && x >= 0 && x < shape.in_w ? row + x * shape.in_c + first : nullptr;
#pragma clang loop unroll(disable)
      for (int32_t i = 0; i < depth; ++i) {
        const int32_t value = pixel ? pixel[i] : zero_point;
        sum += (uint32_t)(value * *w++);
      }
    }
  }
  return sum;
}

AOTC_KERNEL_FN(aotc_conv_2d_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_shape, aotc_conv_2d_s8_layer);
  const int8_t *weights = static_cast<const int8_t *>(data[0]);
  const int32_t *bias = static_cast<const int32_t *>(data[1]);
  const aotc_multiplier *multipliers = static_cast<const aotc_multiplier *>(data[2]);
  const int32_t depth = shape.in_c / shape.groups;
  const int32_t filters = shape.out_c / shape.groups;
  const int32_t filter_size = shape.kernel_h * shape.kernel_w * depth;

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
      int8_t *pixel = out_row + x * shape.out_c;
      for (int32_t k = 0; k < shape.groups; ++k) {
        const int32_t g = aotc_directed(k, shape.groups, descending);
        for (int32_t f = 0; f < filters; ++f) {
          const int32_t c = g * filters + aotc_directed(f, filters, descending);
          uint32_t sum = (uint32_t)bias[c];
          if (inside)
            sum += convolve_inside(shape, window, weights + c * filter_size, origin, g * depth);
          else
            sum += convolve_border(shape, window, weights + c * filter_size, origin, g * depth,
                                   layer.in_zero_point);
          pixel[c] =
              aotc_requantize_s8(sum, multipliers[shape.per_channel ? c : 0], shape.left_shift,
                                 layer.out_zero_point, layer.act_min, layer.act_max);
        }
      }
    }
  }
}
