// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEAN, int8, where the innermost axis stays and one run of axes above it is
// averaged, as over height and width: up to 16 channels at a time. Groups of
// channels are read before they are written, in the order of the portable
// kernel: its distances hold. Device code only.
#pragma once

#include "targets/generic/kernels/multiply_lanes.h"
#include "targets/generic/kernels/reduce.h"

namespace {

/// aotc_mean_s8 (mean_s8.h) of every lane.
template <int32_t N>
AOTC_INLINE lanes<int8_t, N> mean_lanes(lanes<int16_t, N> sums, const aotc_mean_s8_layer &layer) {
  const auto x = __builtin_convertvector(sums, lanes<int32_t, N>) + layer.offset;
  return bytes_of<N>(multiply_lanes<N>(x, layer.mantissa, layer.shift), layer.out_zero_point,
                     INT8_MIN, INT8_MAX);
}

AOTC_INLINE void mean_of_columns(const aotc_mean_shape &shape, const aotc_mean_s8_layer &layer,
                                 const void *const *in, void *const *out, int32_t descending) {
  constexpr int32_t inner = AOTC_MEAN_RANK - 1, outer = inner - 1;
  const aotc_mean_s8_layer p = layer; // results may alias it
  const int32_t channels = shape.keep[inner], taps = shape.reduce[inner];
  const int32_t images = shape.keep[outer], stride = shape.keep_stride[outer];
  for (int32_t i = 0; i < images; ++i) {
    const int32_t n = aotc_directed(i, images, descending);
    const auto *from = static_cast<const int8_t *>(in[0]) + n * stride;
    auto *to = static_cast<int8_t *>(out[0]) + n * channels;
    for_fewer_lanes<16>(0, channels, descending, [&]<int32_t N>(int32_t c) AOTC_INLINED {
      lanes<int16_t, N> sums = {};
      for (int32_t t = 0; t < taps; ++t)
        sums += __builtin_convertvector(load_lanes<N>(from + t * channels + c), lanes<int16_t, N>);
      store_lanes<N>(to + c, mean_lanes<N>(sums, p));
    });
  }
}

} // namespace
