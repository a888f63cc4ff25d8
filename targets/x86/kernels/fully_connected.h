// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED on x86-64 (flat), shared by host and device.
#pragma once

#include <stdint.h>

struct aotc_fully_connected_x86_shape {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
  int32_t requantize; ///< s8: AOTC_REQUANTIZE_*
};

/// Output channels computed together, in vectors of 8 (AVX-512: 16); the last ones
/// may be fewer.
enum { AOTC_FULLY_CONNECTED_GROUP = 32 };

// s8, AVX2: layer: aotc_fully_connected_s8_layer (targets/generic/kernels/
// fully_connected.h).
// data[0]: weights, for each group and pair of inputs: (w[i], w[i + 1]) of each
//          channel in the order of lanes; absent ones are 0.
// data[1]: words of the channels (requantize_s8.h).
//
// s8, AVX-512 VNNI: the same with inputs in fours.
// data[1]: words of each vector of 16 channels (bytes_vnni.h).
//
// f32: layer: aotc_fully_connected_f32_layer.
// data[0]: for each group the biases, then for each input the weights of each
//          channel.

#ifdef __AVX2__
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

namespace {

/// do_group with as few vectors as hold `count` outputs, as a constant.
template <int32_t Vectors, int32_t N, typename Group, typename T>
AOTC_INLINE void call_with_vectors(const Group &do_group, const T *x, T *y, int32_t c,
                                   int32_t count) {
  if constexpr (Vectors > 1)
    if (count <= (Vectors - 1) * N)
      return call_with_vectors<Vectors - 1, N>(do_group, x, y, c, count);
  do_group.template operator()<Vectors>(x, y, c, count);
}

/// do_group<vectors of N outputs>(input row, where its results go, first channel,
/// how many) for each group of outputs of each row.
template <typename T, int32_t N, typename Group>
AOTC_INLINE void for_groups_of(const aotc_fully_connected_x86_shape &shape, const void *in,
                               void *out, int32_t descending, const Group &do_group) {
  constexpr int32_t most = AOTC_FULLY_CONNECTED_GROUP;
  const int32_t groups = (shape.out_c + most - 1) / most;
  for (int32_t i = 0; i < shape.rows; ++i) {
    const int32_t r = aotc_directed(i, shape.rows, descending);
    const T *x = static_cast<const T *>(in) + r * shape.in_c;
    T *y = static_cast<T *>(out) + r * shape.out_c;
    for (int32_t g = 0; g < groups; ++g) {
      const int32_t c = aotc_directed(g, groups, descending) * most;
      const int32_t count = shape.out_c - c < most ? shape.out_c - c : most;
      call_with_vectors<most / N, N>(do_group, x, y + c, c, count);
    }
  }
}

} // namespace
#endif
