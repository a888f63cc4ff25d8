// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVERAGE_POOL_2D and MAX_POOL_2D, int8, in vectors: up to 32 channels of a pixel
// at a time. Padding is skipped. Groups of channels are read before they are
// written, in the order of the portable kernel: its distances hold.
#pragma once

#include "targets/generic/kernels/average_s8.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/generic/kernels/pool_2d.h"

namespace {

struct average_bytes {
  int8_t min, max;

  template <int32_t N> using sums = lanes<int16_t, N>;
  template <int32_t N> AOTC_INLINE static sums<N> first() { return sums<N>{}; }
  template <int32_t N> AOTC_INLINE static sums<N> next(sums<N> sum, lanes<int8_t, N> x) {
    return sum + __builtin_convertvector(x, sums<N>);
  }
  /// Halves away from zero.
  template <int32_t N> AOTC_INLINE static lanes<int8_t, N> last(sums<N> sum, int32_t count) {
    const auto wide = __builtin_convertvector(sum, lanes<int32_t, N>);
    const lanes<int32_t, N> sign = wide >> 31;
    const auto magnitude = (lanes<uint32_t, N>)__builtin_elementwise_abs(wide);
    const auto average = (lanes<int32_t, N>)aotc_average_of_magnitude(
        magnitude, (uint32_t)count, aotc_reciprocal_of_taps((uint32_t)count));
    return __builtin_convertvector((average ^ sign) - sign, lanes<int8_t, N>);
  }
};

struct maximum_bytes {
  int8_t min, max;

  template <int32_t N> using sums = lanes<int8_t, N>;
  template <int32_t N> AOTC_INLINE static sums<N> first() { return all_lanes<N, int8_t>(INT8_MIN); }
  template <int32_t N> AOTC_INLINE static sums<N> next(sums<N> best, lanes<int8_t, N> x) {
    return __builtin_elementwise_max(best, x);
  }
  template <int32_t N> AOTC_INLINE static lanes<int8_t, N> last(sums<N> best, int32_t) {
    return best;
  }
};

/// N channels of a pixel from `c` on.
template <int32_t N, typename Reduction>
AOTC_INLINE lanes<int8_t, N> pool_lanes(const aotc_pool_2d_shape &shape, const Reduction &reduction,
                                        const aotc_pool_window &window, int32_t c) {
  const int32_t channels = shape.channels;
  auto value = Reduction::template first<N>();
  for (int32_t ky = 0; ky < shape.filter_h; ++ky) {
    const auto *row = static_cast<const int8_t *>(window.rows[ky]);
    if (shape.padded && !row)
      continue;
    row += window.first + c;
    for (int32_t kx = 0; kx < window.columns; ++kx)
      value = Reduction::template next<N>(value, load_lanes<N>(row + kx * channels));
  }
  const auto result = Reduction::template last<N>(value, window.rows_present * window.columns);
  const auto above = __builtin_elementwise_max(result, all_lanes<N>(reduction.min));
  return __builtin_elementwise_min(above, all_lanes<N>(reduction.max));
}

template <typename Reduction>
AOTC_INLINE void pool_rows(const aotc_pool_2d_shape &shape, const aotc_pool_2d_s8_layer &layer,
                           const void *const *in, void *const *out, int32_t rows,
                           int32_t descending) {
  const Reduction reduction = {(int8_t)layer.act_min, (int8_t)layer.act_max};
  auto pixel = [&](const aotc_pool_window &window, int8_t *to) AOTC_INLINED {
    for_fewer_lanes<32>(0, shape.channels, descending, [&]<int32_t N>(int32_t c) AOTC_INLINED {
      store_lanes<N>(to + c, pool_lanes<N>(shape, reduction, window, c));
    });
  };
  aotc_pool_walk<int8_t>(shape, in, out, rows, descending, pixel);
}

} // namespace
