// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEAN, int8, where the innermost axis stays and one run of axes above it is
// averaged, as over height and width: device code for Cortex-M without Helium.
// Channels are read before they are written, in the order of the portable
// kernel: its distances hold.
#pragma once

#include "targets/KernelABI.h"
#include "targets/arm_m/kernels/four_channels.h"
#include "targets/generic/kernels/mean_s8.h"

#ifdef __arm__

AOTC_INLINE void aotc_mean_of_columns(const aotc_mean_shape &shape, const aotc_mean_s8_layer &layer,
                                      const void *const *in, void *const *out, int32_t descending) {
  constexpr int inner = AOTC_MEAN_RANK - 1, outer = inner - 1;
  const aotc_mean_s8_layer p = layer; // results may alias it
  const int32_t channels = shape.keep[inner], taps = shape.reduce[inner];
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < shape.keep[outer]; ++i) {
    const int32_t n = aotc_directed(i, shape.keep[outer], descending);
    const auto *from = static_cast<const int8_t *>(in[0]) + n * shape.keep_stride[outer];
    auto *to = static_cast<int8_t *>(out[0]) + n * channels;
    auto visit = [&](auto group, int32_t c) AOTC_INLINED {
      aotc_add_taps(group, from + c, taps, channels);
#pragma clang loop unroll(disable)
      for (int k = 0; k < group.channels; ++k)
        to[c + k] = aotc_mean_s8(group.get(k, taps), p);
    };
    aotc_visit_channels<aotc_sum_of_four, aotc_sum_of_one>(channels, descending, visit);
  }
}

#endif
