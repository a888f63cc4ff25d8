// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four floats at a time (lanes.h): multiply and add, bounds, copies. Device code only.
#pragma once

#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/generic/kernels/pixel_block.h"

#include <arm_neon.h>

namespace {

/// sum + w * x: one rounding on AArch64, two on Armv7-A, whose Cortex-A9 has no
/// fused multiply-add. There LLVM would multiply and add in two instructions.
AOTC_INLINE float32x4_t add_product(float32x4_t sum, float32x4_t w, float32x4_t x) {
#ifdef __aarch64__
  return vfmaq_f32(sum, w, x);
#else
  __asm__("vmla.f32 %q0, %q1, %q2" : "+w"(sum) : "w"(w), "w"(x));
  return sum;
#endif
}

/// The same with the Lane-th of x.
template <int32_t Lane>
AOTC_INLINE float32x4_t add_product_lane(float32x4_t sum, float32x4_t w, float32x4_t x) {
#ifdef __aarch64__
  return vfmaq_laneq_f32(sum, w, x, Lane);
#else
  const float32x2_t half = Lane < 2 ? vget_low_f32(x) : vget_high_f32(x);
  __asm__("vmla.f32 %q0, %q1, %P2[%c3]" : "+w"(sum) : "w"(w), "t"(half), "i"(Lane % 2));
  return sum;
#endif
}

/// range.clamp in two instructions: they take a bound of 0 for -0, which no sum from 0
/// on is.
AOTC_INLINE float32x4_t clamp_sum(const float_range<4> &range, float32x4_t x) {
  return vminq_f32(vmaxq_f32(x, vdupq_n_f32(range.min)), vdupq_n_f32(range.max));
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
