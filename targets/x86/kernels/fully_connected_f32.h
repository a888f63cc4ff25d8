// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, with N lanes and FMA: thirty-two outputs at a time;
// each sum runs in the order of the inputs. Device code only.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/x86/kernels/fully_connected.h"

namespace {

/// `count` outputs, in as many vectors.
template <int32_t N, int32_t Vectors>
AOTC_INLINE void multiply_group(int32_t in_c, const float_range<N> &range, const float *x,
                                const float *weights, float *y, int32_t count) {
  const float *bias = weights;
  floats<N> acc[Vectors] = {};
  for (int32_t k = 0; k < in_c; ++k) {
    weights += N * Vectors;
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      acc[v] = acc[v] + x[k] * load_lanes<N>(weights + N * v);
  }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v)
    store_lanes<N>(y + N * v, range.clamp(acc[v] + load_lanes<N>(bias + N * v)), count - N * v);
}

template <int32_t N>
AOTC_INLINE void multiply(const aotc_fully_connected_x86_shape &shape,
                          const aotc_fully_connected_f32_layer &layer, const void *in, void *out,
                          const void *data, int32_t descending) {
  const float *weights = static_cast<const float *>(data);
  const float_range<N> range = {aotc_float_of_bits(layer.act_min_bits),
                                aotc_float_of_bits(layer.act_max_bits)};
  for_groups_of<float, N>(
      shape, in, out, descending,
      [&]<int32_t Vectors>(const float *x, float *y, int32_t c, int32_t count) AOTC_INLINED {
        multiply_group<N, Vectors>(shape.in_c, range, x, weights + c * (shape.in_c + 1), y, count);
      });
}

} // namespace
