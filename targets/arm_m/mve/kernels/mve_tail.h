// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tails of mve_stream.h by intrinsics, for kernels whose sums stand in vectors;
// mve_dot.h has them in assembly. Device code only.
#pragma once

#include "targets/arm_m/mve/kernels/mve_stream.h"
#include "targets/generic/kernels/inline.h"

#include <arm_mve.h>

/// Vector `index` of a tail.
static AOTC_INLINE int32x4_t aotc_mve_vector(const int32_t *stream, int32_t index) {
  return vldrwq_s32(stream + 4 * index);
}

/// Four sums as outputs, which aotc_mve_narrow() makes narrower; p: the tail's vectors.
/// Of aotc_mve_fit the last rounding is left to it.
template <int32_t Tail>
static AOTC_INLINE int32x4_t aotc_mve_finish(int32x4_t sum, const int32_t *p,
                                             const aotc_mve_output &output) {
  int32x4_t acc = vmlaq_n_s32(aotc_mve_vector(p, 0), sum, output.scale);
  if constexpr (Tail == aotc_mve_fit) {
    return vqrdmlashq_n_s32(acc, aotc_mve_vector(p, 1), output.zero);
  } else {
    int32_t at = 1;
    if constexpr (Tail == aotc_mve_general)
      acc = vqshlq_s32(acc, aotc_mve_vector(p, at++));
    acc = vqrdmulhq_s32(acc, aotc_mve_vector(p, at));
    const int32x4_t right = aotc_mve_vector(p, at + 1);
    // Halves away from zero; a shift of 0 rounds nothing.
    const int32x4_t sign = Tail == aotc_mve_general ? vandq_s32(acc, right) : acc;
    acc = vaddq_s32(acc, vshrq_n_s32(sign, 31));
    return vaddq_n_s32(vrshlq_s32(acc, right), output.zero);
  }
}

/// Two sums of alternate channels.
template <int32_t Tail>
static AOTC_INLINE int16x8_t aotc_mve_narrow(int32x4_t bottom, int32x4_t top) {
  const int16x8_t none = vdupq_n_s16(0);
  if constexpr (Tail == aotc_mve_fit)
    return vqrshrntq_n_s32(vqrshrnbq_n_s32(none, bottom, 16), top, 16);
  else
    return vqmovntq_s32(vqmovnbq_s32(none, bottom), top);
}
