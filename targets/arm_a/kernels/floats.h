// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four floats at a time: multiply and add, bounds, copies. Device code only.
#pragma once

#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/pixel_block.h"

#include <arm_neon.h>

namespace {

/// sum + w * x. One rounding where the CPU has a fused multiply-add, else two, as
/// a CPU with VFPv3 has only those.
AOTC_INLINE float32x4_t add_product(float32x4_t sum, float32x4_t w, float32x4_t x) {
  return sum + w * x;
}

/// The fused activation. NaN passes, as in the reference.
struct float_range {
  float min, max;

  AOTC_INLINE float32x4_t clamp(float32x4_t x) const {
    return vminq_f32(vmaxq_f32(x, vdupq_n_f32(min)), vdupq_n_f32(max));
  }
};

/// Writes the first `count` (at least 1) of x; 4 or more: all.
AOTC_INLINE void store_floats(float *to, float32x4_t x, int32_t count) {
  if (count >= 4) {
    vst1q_f32(to, x);
    return;
  }
  for (int32_t i = 0; i < count; ++i, x = vextq_f32(x, x, 1))
    vst1q_lane_f32(to + i, x, 0);
}

/// How floats get to scratch (pixel_block.h).
struct copy_floats {
  AOTC_INLINE void operator()(const float *from, float *to, int32_t count) const {
    copy_bytes{0}(reinterpret_cast<const int8_t *>(from), reinterpret_cast<int8_t *>(to),
                  4 * count);
  }
  AOTC_INLINE void pad(float *to, int32_t count) const {
    for (int32_t i = 0; i < count; ++i)
      to[i] = 0;
  }
};

} // namespace
