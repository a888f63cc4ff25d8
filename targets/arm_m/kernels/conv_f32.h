// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the float convolutions for Cortex-M share on host and device.
//
// Four neighbouring output pixels x four channels: sixteen sums in 16 of the 32
// registers of a scalar FPU, or in four of the eight of Helium. The source is the
// same: a vector of four floats, which the code generator shares out where there
// are none. Sums run in the order of the reference, begin with 0 and end with the
// bias; a product and an addition are fused where the core is quicker so (M7,
// M55), as in the portable kernels. The results of four pixels go to scratch until
// all their channels are done, so that a block is read whole before it is written.
#pragma once

#include <stdint.h>

enum { AOTC_CONV_F32_PIXELS = 4, AOTC_CONV_F32_CHANNELS = 4 };

#if !defined(AOTC_HOST) && defined(__arm__)
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/generic/kernels/window.h"

namespace {

constexpr int32_t pixels_at_once = AOTC_CONV_F32_PIXELS;
constexpr int32_t channels_at_once = AOTC_CONV_F32_CHANNELS;

struct float_tile {
  floats<channels_at_once> sum[pixels_at_once] = {};

  /// Input `at` of each pixel times one weight of each channel.
  AOTC_INLINE void add(const float *const *x, int32_t at, const float *w) {
    const floats<channels_at_once> weights = load_lanes<channels_at_once>(w);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < pixels_at_once; ++p)
      sum[p] = sum[p] + x[p][at] * weights;
  }

  /// Channels from `at` on, each times its weight; load(input) gives a vector of them.
  template <typename Load>
  AOTC_INLINE void add_channels(const float *const *x, int32_t at, const float *w,
                                const Load &load) {
    const floats<channels_at_once> weights = load_lanes<channels_at_once>(w);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < pixels_at_once; ++p)
      sum[p] = sum[p] + load(x[p] + at) * weights;
  }

  /// Adds the bias, clamps, stores `channels` of `pixels` pixels.
  AOTC_INLINE void store(const float *bias, float_range<channels_at_once> range, float *y,
                         int32_t step, int32_t pixels, int32_t channels) const {
    const floats<channels_at_once> last = load_lanes<channels_at_once>(bias);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < pixels_at_once; ++p)
      if (p < pixels)
        store_lanes<channels_at_once>(y + p * step, range.clamp(sum[p] + last), channels);
  }
};

/// Calls block(first pixel, pixels) for the blocks of a row of `width` pixels:
/// first to last from its beginning, last to first from its end.
template <typename Block>
AOTC_INLINE void for_blocks(int32_t width, int32_t descending, const Block &block) {
#pragma clang loop unroll(disable)
  for (int32_t done = 0; done < width; done += pixels_at_once) {
    const int32_t left = width - done;
    const int32_t pixels = left < pixels_at_once ? left : pixels_at_once;
    block(descending ? left - pixels : done, pixels);
  }
}

/// Computes `channels` channels of a block in groups; compute(first channel,
/// channels, results, words between pixels of the results).
template <typename Compute>
AOTC_INLINE void for_channels(int32_t channels, int32_t pixels, float *y, float *scratch,
                              const Compute &compute) {
  const bool together = channels <= channels_at_once;
  float *to = together ? y : scratch;
#pragma clang loop unroll(disable)
  for (int32_t c = 0; c < channels; c += channels_at_once)
    compute(c, channels - c, to + c);
  if (!together)
    __builtin_memcpy(y, scratch, 4 * (uint32_t)(pixels * channels));
}

} // namespace
#endif
