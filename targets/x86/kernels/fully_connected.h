// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED for AVX2 (flat), shared by host and device.
#pragma once

#include <stdint.h>

struct aotc_fully_connected_avx2_shape {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
  int32_t requantize; ///< s8: AOTC_REQUANTIZE_*
};

/// Output channels computed together, in vectors of 8; the last ones may be
/// fewer.
enum { AOTC_FULLY_CONNECTED_GROUP = 32 };

// s8: layer: aotc_fully_connected_s8_layer (targets/generic/kernels/
// fully_connected.h).
// data[0]: weights, for each group and pair of inputs: (w[i], w[i + 1]) of each
//          channel in the order of lanes; absent ones are 0.
// data[1]: words of the channels (requantize_s8.h).
//
// f32: layer: aotc_fully_connected_f32_layer.
// data[0]: for each group the biases, then for each input the weights of each
//          channel.

#ifdef __AVX2__
#include "targets/generic/kernels/window.h"
#include "targets/x86/kernels/inline.h"

namespace {

/// group<vectors>(input row, where its results go, first channel, how many) for
/// each group of outputs of each row.
template <typename T, typename Group>
AOTC_AVX2_INLINE void for_groups_of(const aotc_fully_connected_avx2_shape &shape, const void *in,
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
      if (count > 24)
        do_group.template operator()<4>(x, y + c, c, count);
      else if (count > 16)
        do_group.template operator()<3>(x, y + c, c, count);
      else if (count > 8)
        do_group.template operator()<2>(x, y + c, c, count);
      else
        do_group.template operator()<1>(x, y + c, c, count);
    }
  }
}

} // namespace
#endif
