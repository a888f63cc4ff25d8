// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, float32, with FMA: N channels of a pixel at a time; taps are
// added in the order of the weights. Device code only.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/depthwise_conv_2d.h"

namespace {

template <int32_t N>
AOTC_INLINE void convolve(const aotc_depthwise_conv_2d_x86_shape &shape,
                          const aotc_conv_2d_f32_layer &layer, const void *const *in,
                          void *const *out, const void *const *data, void *scratch, int32_t rows,
                          int32_t descending) {
  const float *weights = static_cast<const float *>(data[0]);
  const float_range<N> range = {aotc_float_of_bits(layer.act_min_bits),
                                aotc_float_of_bits(layer.act_max_bits)};
  const int32_t taps = shape.kernel_h * shape.kernel_w;
  const float **table = static_cast<const float **>(scratch);
  float *padding = reinterpret_cast<float *>(table + (taps + 1) / 2 * 2);
  if (shape.padded)
    __builtin_memset(padding, 0, 4 * (uint32_t)shape.in_c);

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    const bool rows_inside = !shape.padded || aotc_rows_present(window, shape.kernel_h,
                                                                shape.dilation_h) == shape.kernel_h;
    float *out_row = static_cast<float *>(out[row]);
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      float *y = out_row + x * shape.in_c;
      if (shape.kernel_h == 3 && shape.kernel_w == 3 && taps_inside(shape, rows_inside, x)) {
        const int32_t first = (x * shape.stride_w - shape.pad_left) * shape.in_c;
        const int32_t step = shape.dilation_w * shape.in_c;
        for_groups<N>(shape, descending, [&](int32_t c, int32_t count) AOTC_INLINED {
          const float *w = weights + c * 10;
          floats<N> acc = {};
#pragma clang loop unroll(full)
          for (int32_t ky = 0; ky < 3; ++ky) {
            const float *from =
                static_cast<const float *>(window[ky * shape.dilation_h]) + first + c;
#pragma clang loop unroll(full)
            for (int32_t kx = 0; kx < 3; ++kx)
              acc = acc + load_lanes<N>(from + kx * step, count) *
                              load_lanes<N>(w + N * (1 + 3 * ky + kx));
          }
          store_lanes<N>(y + c, range.clamp(acc + load_lanes<N>(w)), count);
        });
        continue;
      }
      find_taps<2>(shape, window, x, padding, table);
      for_groups<N>(shape, descending, [&](int32_t c, int32_t count) AOTC_INLINED {
        const float *w = weights + c * (taps + 1);
        floats<N> acc = {};
        for (int32_t t = 0; t < taps; ++t)
          acc = acc + load_lanes<N>(table[t] + c, count) * load_lanes<N>(w + N * (t + 1));
        store_lanes<N>(y + c, range.clamp(acc + load_lanes<N>(w)), count);
      });
    }
  }
}

} // namespace
