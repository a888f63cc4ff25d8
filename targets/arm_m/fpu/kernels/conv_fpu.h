// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the float convolutions for a scalar FPU share on host and device.
//
// Four neighbouring output pixels x four channels stand in 16 of the 32
// registers: eight loads for 16 multiply-accumulates. A multiplication and an
// addition each, in the order of the reference; the code generator fuses them
// where the core is quicker so (M7), as it does in the portable kernels. The
// results of four pixels go to scratch until all their channels are done, so
// that a block is read whole before it is written.
#pragma once

#include <stdint.h>

enum { AOTC_FPU_PIXELS = 4, AOTC_FPU_CHANNELS = 4 };

#if !defined(AOTC_HOST) && defined(__arm__)
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/window.h"

#define AOTC_FPU_INLINE inline __attribute__((always_inline))
#define AOTC_FPU_INLINED __attribute__((always_inline))

namespace {

struct float_bounds {
  float min, max;
};

struct float_tile {
  float sum[AOTC_FPU_PIXELS][AOTC_FPU_CHANNELS] = {};

  /// Input `at` of each pixel, for channel c that `step` * c behind it, times one
  /// weight of each channel.
  template <int32_t Channels>
  AOTC_FPU_INLINE void add(const float *const *x, int32_t at, int32_t step, const float *w) {
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < AOTC_FPU_PIXELS; ++p)
#pragma clang loop unroll(full)
      for (int32_t c = 0; c < Channels; ++c)
        sum[p][c] += x[p][at + step * c] * w[c];
  }

  /// Adds the bias, clamps, stores `channels` of `pixels` pixels.
  AOTC_FPU_INLINE void store(const float *bias, float_bounds bounds, float *y, int32_t step,
                             int32_t pixels, int32_t channels) const {
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < AOTC_FPU_PIXELS; ++p)
#pragma clang loop unroll(full)
      for (int32_t c = 0; c < AOTC_FPU_CHANNELS; ++c)
        if (p < pixels && c < channels)
          y[p * step + c] = aotc_clamp_f32(sum[p][c] + bias[c], bounds.min, bounds.max);
  }
};

/// Calls block(first pixel, pixels) for the blocks of a row of `width` pixels:
/// first to last from its beginning, last to first from its end.
template <typename Block>
AOTC_FPU_INLINE void for_blocks(int32_t width, int32_t descending, const Block &block) {
#pragma clang loop unroll(disable)
  for (int32_t done = 0; done < width; done += AOTC_FPU_PIXELS) {
    const int32_t left = width - done;
    const int32_t pixels = left < AOTC_FPU_PIXELS ? left : AOTC_FPU_PIXELS;
    block(descending ? left - pixels : done, pixels);
  }
}

/// Computes `channels` channels of a block in groups; compute(first channel,
/// channels, results, words between pixels of the results).
template <typename Compute>
AOTC_FPU_INLINE void for_channels(int32_t channels, int32_t pixels, float *y, float *scratch,
                                  const Compute &compute) {
  float *to = channels > AOTC_FPU_CHANNELS ? scratch : y;
#pragma clang loop unroll(disable)
  for (int32_t c = 0; c < channels; c += AOTC_FPU_CHANNELS)
    compute(c, channels - c, to + c);
  if (to == scratch)
    __builtin_memcpy(y, scratch, 4 * (uint32_t)(pixels * channels));
}

} // namespace
#endif
