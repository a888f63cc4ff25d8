// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eight floats at a time: bounds, and the lanes past the last channel. Device
// code only.
#pragma once

#include "targets/x86/kernels/inline.h"

#include <immintrin.h>

namespace {

/// The fused activation. NaN passes, as in the reference.
struct float_range {
  float min, max;

  AOTC_AVX2_INLINE __m256 clamp(__m256 x) const {
    return _mm256_min_ps(_mm256_set1_ps(max), _mm256_max_ps(_mm256_set1_ps(min), x));
  }
};

/// The first `count` lanes.
AOTC_AVX2_INLINE __m256i lane_mask(int32_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// `count` (8 or fewer) floats, the other lanes 0; reads no others.
AOTC_AVX2_INLINE __m256 load_floats(const float *x, int32_t count) {
  return count >= 8 ? _mm256_loadu_ps(x) : _mm256_maskload_ps(x, lane_mask(count));
}

/// Writes the first `count` (at least 1) lanes.
AOTC_AVX2_INLINE void store_floats(float *to, __m256 x, int32_t count) {
  if (count >= 8)
    _mm256_storeu_ps(to, x);
  else
    _mm256_maskstore_ps(to, lane_mask(count), x);
}

} // namespace
