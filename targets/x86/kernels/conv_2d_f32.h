// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, float32, with N lanes and FMA: a block of pixels x 2 * N channels in
// registers; each sum runs in the order of the weights. Device code only.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/conv_2d.h"

namespace {

struct copy_floats {
  AOTC_INLINE void operator()(const float *from, float *to, int32_t count) const {
    int32_t i = 0;
    for (; i + 8 <= count; i += 8)
      _mm256_storeu_ps(to + i, _mm256_loadu_ps(from + i));
    for (; i < count; ++i)
      to[i] = from[i];
  }
  AOTC_INLINE void pad(float *to, int32_t count) const {
    for (int32_t i = 0; i < count; ++i)
      to[i] = 0;
  }
};

/// Channels c <= k < c + N * Vectors of Pixels pixels. Loops over pixels and
/// vectors must vanish, for the sums to stand in registers.
template <int32_t N, int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_group(const aotc_conv_2d_x86_shape &shape, const float_range<N> &range,
                                const float *weights, const float *bias, const float *copied,
                                float *y, int32_t c) {
  floats<N> acc[Pixels][Vectors] = {};
  for (int32_t r = 0; r < shape.runs; ++r, copied += shape.run_step) {
    const float *x = copied;
    for (int32_t i = 0; i < shape.run_length; ++i, ++x, weights += N * Vectors) {
      floats<N> w[Vectors];
#pragma clang loop unroll(full)
      for (int32_t v = 0; v < Vectors; ++v)
        w[v] = load_lanes<N>(weights + N * v);
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p)
#pragma clang loop unroll(full)
        for (int32_t v = 0; v < Vectors; ++v)
          acc[p][v] = acc[p][v] + x[p * shape.pixel_step] * w[v];
    }
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      store_lanes<N>(y + p * shape.out_c + c + N * v,
                     range.clamp(acc[p][v] + load_lanes<N>(bias + c + N * v)),
                     shape.out_c - c - N * v);
}

template <int32_t N>
AOTC_INLINE void convolve(const aotc_conv_2d_x86_shape &shape, const aotc_conv_2d_f32_layer &layer,
                          const void *const *in, void *const *out, const void *const *data,
                          void *scratch, int32_t rows, int32_t descending) {
  const float *weights = static_cast<const float *>(data[0]);
  const float *bias = static_cast<const float *>(data[1]);
  const float_range<N> range = {aotc_float_of_bits(layer.act_min_bits),
                                aotc_float_of_bits(layer.act_max_bits)};
  const int32_t filter = shape.runs * shape.run_length;
  for_copied_blocks<AOTC_CONV_2D_MOST_PIXELS, float>(
      shape, copy_floats(), in, out, static_cast<float *>(scratch), rows, descending,
      [&]<int32_t Pixels>(const float *copied, float *y) AOTC_INLINED {
        int32_t c = 0;
        for (; c + N < shape.out_c; c += 2 * N)
          convolve_group<N, Pixels, 2>(shape, range, weights + c * filter, bias, copied, y, c);
        if (c < shape.out_c)
          convolve_group<N, Pixels, 1>(shape, range, weights + c * filter, bias, copied, y, c);
      });
}

} // namespace
