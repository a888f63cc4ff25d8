// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N floats at a time (8: AVX2, 16: AVX-512): bounds, and the lanes past the last
// channel. Device code only; without the instructions for parts of vectors, as in
// tests on other CPUs, loops do the same.
#pragma once

#include "targets/x86/kernels/inline.h"

#include <immintrin.h>

namespace {

template <int32_t N> struct float_vector {
  typedef float type __attribute__((vector_size(4 * N)));
};
template <int32_t N> using floats = typename float_vector<N>::type;

/// The fused activation. NaN passes, as in the reference.
template <int32_t N> struct float_range {
  float min, max;

  AOTC_X86_INLINE floats<N> clamp(floats<N> x) const {
    const floats<N> zero = {}, low = min - zero, high = max - zero;
    x = low > x ? low : x;
    return high < x ? high : x;
  }
};

template <int32_t N> AOTC_X86_INLINE floats<N> load_floats(const float *x) {
  floats<N> result;
  __builtin_memcpy(&result, x, sizeof result);
  return result;
}

/// The first `count` lanes.
AOTC_X86_INLINE __m256i lane_mask(int32_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

/// `count` (N or fewer) floats, the other lanes 0; reads no others.
template <int32_t N> AOTC_X86_INLINE floats<N> load_floats(const float *x, int32_t count) {
  if (count >= N)
    return load_floats<N>(x);
  if constexpr (N == 8)
    return (floats<N>)_mm256_maskload_ps(x, lane_mask(count));
#ifdef __AVX512F__
  if constexpr (N == 16)
    return (floats<N>)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), x);
#endif
  floats<N> result = {};
  for (int32_t i = 0; i < count; ++i)
    result[i] = x[i];
  return result;
}

/// Writes the first `count` (at least 1) lanes.
template <int32_t N> AOTC_X86_INLINE void store_floats(float *to, floats<N> x, int32_t count) {
  if (count >= N) {
    __builtin_memcpy(to, &x, sizeof x);
    return;
  }
  if constexpr (N == 8) {
    _mm256_maskstore_ps(to, lane_mask(count), (__m256)x);
    return;
  }
#ifdef __AVX512F__
  if constexpr (N == 16) {
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)x);
    return;
  }
#endif
  for (int32_t i = 0; i < count; ++i)
    to[i] = x[i];
}

} // namespace
