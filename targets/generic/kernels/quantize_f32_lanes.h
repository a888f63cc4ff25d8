// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QUANTIZE from float32 to bytes, AOTC_QUANTIZE_BLOCK elements at a time, what is
// left one by one; the bits of the portable kernel. Device code only.
#pragma once

#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/lanes.h"

namespace {

/// aotc_round_saturate (math.h) of every lane.
template <int32_t N> AOTC_INLINE lanes<int32_t, N> round_saturate(floats<N> x) {
  const floats<N> high = all_lanes<N>(8388608.0f), low = -high;
  x = x > low ? x : low; // NaN, too
  x = x < high ? x : high;
  const auto integers = __builtin_convertvector(x, lanes<int32_t, N>);
  const floats<N> rest = x - __builtin_convertvector(integers, floats<N>); // exact
  return integers - (rest >= 0.5f) + (rest <= -0.5f);                      // comparisons give -1
}

template <int32_t N>
AOTC_INLINE lanes<int8_t, N> quantize(floats<N> x, const aotc_quantize_layer &layer) {
  auto y = round_saturate<N>(x / aotc_float_of_bits(layer.scale)) + layer.zero_point;
  y = __builtin_elementwise_max(y, all_lanes<N>(layer.min));
  y = __builtin_elementwise_min(y, all_lanes<N>(layer.max));
  return __builtin_convertvector(y, lanes<int8_t, N>);
}

AOTC_INLINE void quantize_blocks(const aotc_unary_shape &shape, const aotc_quantize_layer &layer,
                                 const void *const *in, void *const *out, int32_t descending) {
  constexpr int32_t block = AOTC_QUANTIZE_BLOCK;
  const aotc_quantize_layer p = layer; // results may alias it
  const auto *from = static_cast<const float *>(in[0]);
  auto *to = static_cast<int8_t *>(out[0]);
  auto some = [&]<int32_t N>(int32_t at) AOTC_INLINED {
    store_lanes<N>(to + at, quantize<N>(load_lanes<N>(from + at), p));
  };
  const int32_t count = shape.count, blocks = count / block, rest = count % block;
  const int32_t first = descending ? rest : 0, left = descending ? 0 : count - rest;
  for (int32_t i = 0; i < blocks; ++i)
    some.template operator()<block>(first + block * aotc_directed(i, blocks, descending));
  for (int32_t i = 0; i < rest; ++i)
    some.template operator()<1>(left + aotc_directed(i, rest, descending));
}

} // namespace
