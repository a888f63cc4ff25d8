// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, float32: plain loops in the order of the weights; absent taps are
// zero and skipped.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/window.h"

/// One output value without bias: the filter `w` over the rows of `window`,
/// group channels from `first` on.
static inline float convolve(const aotc_conv_2d_shape &shape, const void *const *window,
                             const float *w, int32_t origin, aotc_taps taps, int32_t first) {
  const int32_t depth = shape.in_c / shape.groups;
  float sum = 0;
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky, w += shape.kernel_w * depth) {
    const float *row = static_cast<const float *>(window[ky * shape.dilation_h]);
    if (shape.padded && !row)
      continue;
    for (int32_t kx = taps.begin; kx < taps.end; ++kx) {
      const float *x = row + (origin + kx * shape.dilation_w) * shape.in_c + first;
      for (int32_t i = 0; i < depth; ++i)
        sum += x[i] * w[kx * depth + i];
    }
  }
  return sum;
}

AOTC_KERNEL_FN(aotc_conv_2d_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_shape, aotc_conv_2d_f32_layer);
  const float *weights = static_cast<const float *>(data[0]);
  const float *bias = shape.has_bias ? static_cast<const float *>(data[1]) : nullptr;
  const float min = aotc_float_of_bits(layer.act_min_bits);
  const float max = aotc_float_of_bits(layer.act_max_bits);
  const int32_t depth = shape.in_c / shape.groups;
  const int32_t filters = shape.out_c / shape.groups;
  const int32_t filter_size = shape.kernel_h * shape.kernel_w * depth;

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t y = aotc_directed(i, rows, descending);
    const void *const *window = in + y * shape.stride_h;
    float *out_row = static_cast<float *>(out[y]);
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      const int32_t origin = x * shape.stride_w - shape.pad_left;
      const aotc_taps taps =
          shape.padded ? aotc_taps_inside(origin, shape.kernel_w, shape.dilation_w, shape.in_w)
                       : aotc_taps{0, shape.kernel_w};
      float *pixel = out_row + x * shape.out_c;
      for (int32_t k = 0; k < shape.groups; ++k) {
        const int32_t g = aotc_directed(k, shape.groups, descending);
        for (int32_t f = 0; f < filters; ++f) {
          const int32_t c = g * filters + aotc_directed(f, filters, descending);
          float sum = convolve(shape, window, weights + c * filter_size, origin, taps, g * depth);
          if (shape.has_bias)
            sum += bias[c];
          pixel[c] = aotc_clamp_f32(sum, min, max);
        }
      }
    }
  }
}
