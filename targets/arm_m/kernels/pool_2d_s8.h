// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVERAGE_POOL_2D and MAX_POOL_2D, int8, for Cortex-M without Helium: parameters
// and device code. Padding is skipped. Channels are read before they are
// written, in the order of the portable kernel: its distances hold.
#pragma once

#include "targets/KernelABI.h"
#include "targets/arm_m/kernels/four_channels.h"
#include "targets/generic/kernels/average_s8.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/pool_2d.h"

struct aotc_average_pool_2d_s8_layer {
  aotc_pool_2d_s8_layer range;
  int32_t reciprocal; ///< of the taps of a whole window
};

/// sum / taps, halves away from zero.
AOTC_INLINE int32_t aotc_average_of(int32_t sum, int32_t taps, uint32_t reciprocal) {
  const auto magnitude = (uint32_t)(sum < 0 ? -sum : sum);
  const auto average = (int32_t)aotc_average_of_magnitude(magnitude, (uint32_t)taps, reciprocal);
  return sum < 0 ? -average : average;
}

#ifdef __arm__

/// `finish(value, taps)` makes a result of a group's value.
template <typename Four, typename One, typename Finish>
AOTC_INLINE void aotc_pool(const aotc_pool_2d_shape &shape, const void *const *in, void *const *out,
                           int32_t rows, int32_t descending, Finish finish) {
  const int32_t channels = shape.channels;
  auto pixel = [&](const aotc_pool_window &window, int8_t *to) AOTC_INLINED {
    auto visit = [&](auto group, int32_t c) AOTC_INLINED {
#pragma clang loop unroll(disable)
      for (int32_t ky = 0; ky < shape.filter_h; ++ky) {
        const auto *row = static_cast<const int8_t *>(window.rows[ky]);
        if (!shape.padded || row)
          aotc_add_taps(group, row + window.first + c, window.columns, channels);
      }
      const int32_t count = window.rows_present * window.columns;
#pragma clang loop unroll(full)
      for (int k = 0; k < group.channels; ++k)
        to[c + k] = (int8_t)finish(group.get(k, count), count);
    };
    aotc_visit_channels<Four, One>(channels, descending, visit);
  };
  aotc_pool_walk<int8_t>(shape, in, out, rows, descending, pixel);
}

AOTC_INLINE void aotc_average_pool(const aotc_pool_2d_shape &shape,
                                   const aotc_average_pool_2d_s8_layer &layer,
                                   const void *const *in, void *const *out, int32_t rows,
                                   int32_t descending) {
  const int32_t min = layer.range.act_min, max = layer.range.act_max;
  const int32_t whole = shape.filter_h * shape.filter_w;
  int32_t taps = whole;
  auto reciprocal = (uint32_t)layer.reciprocal;
  aotc_pool<aotc_sum_of_four, aotc_sum_of_one>(
      shape, in, out, rows, descending, [&](int32_t sum, int32_t count) AOTC_INLINED {
        if (shape.padded && count != taps) {
          taps = count;
          reciprocal = aotc_reciprocal_of_taps((uint32_t)count);
        }
        return aotc_clamp(aotc_average_of(sum, shape.padded ? count : whole, reciprocal), min, max);
      });
}

AOTC_INLINE void aotc_max_pool(const aotc_pool_2d_shape &shape, const aotc_pool_2d_s8_layer &layer,
                               const void *const *in, void *const *out, int32_t rows,
                               int32_t descending) {
  const int32_t min = layer.act_min, max = layer.act_max;
  aotc_pool<aotc_max_of_four, aotc_max_of_one>(
      shape, in, out, rows, descending,
      [=](int32_t value, int32_t) AOTC_INLINED { return aotc_clamp(value, min, max); });
}

#endif
