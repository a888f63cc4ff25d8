// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N floats at a time (4: NEON, Helium, and scalar FPUs, whose registers they
// share out; 8: AVX2; 16: AVX-512): loads, stores, bounds, and the lanes past the
// last one. Device code only; where there are no instructions for parts of
// vectors, as in tests on other CPUs, element by element.
#pragma once

#include "targets/generic/kernels/inline.h"

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

namespace {

template <int32_t N> struct float_vector {
  typedef float type __attribute__((vector_size(4 * N)));
};
template <int32_t N> using floats = typename float_vector<N>::type;

/// The fused activation. NaN passes, as in the reference.
template <int32_t N> struct float_range {
  float min, max;

  AOTC_INLINE floats<N> clamp(floats<N> x) const {
    const floats<N> zero = {}, low = min - zero, high = max - zero;
    x = low > x ? low : x;
    return high < x ? high : x;
  }
};

template <int32_t N> AOTC_INLINE floats<N> load_floats(const float *x) {
  floats<N> result;
  __builtin_memcpy(&result, x, sizeof result);
  return result;
}

template <int32_t N> AOTC_INLINE void store_floats(float *to, floats<N> x) {
  __builtin_memcpy(to, &x, sizeof x);
}

#if defined(__AVX2__)
/// The first `count` lanes.
AOTC_INLINE __m256i lane_mask(int32_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
#endif

/// `count` (N or fewer) floats, the other lanes 0; reads no others.
template <int32_t N> AOTC_INLINE floats<N> load_floats(const float *x, int32_t count) {
#if defined(__ARM_FEATURE_MVE)
  return (floats<N>)vldrwq_z_f32(x, vctp32q((uint32_t)count));
#else
  if (count >= N)
    return load_floats<N>(x);
#if defined(__AVX2__)
  if constexpr (N == 8)
    return (floats<N>)_mm256_maskload_ps(x, lane_mask(count));
#endif
#if defined(__AVX512F__)
  if constexpr (N == 16)
    return (floats<N>)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), x);
#endif
  floats<N> result = {};
#pragma clang loop unroll(full)
  for (int32_t i = 0; i < N - 1; ++i)
    if (i < count)
      result[i] = x[i];
  return result;
#endif
}

/// Writes the first `count` (at least 1) lanes; N or more: all.
template <int32_t N> AOTC_INLINE void store_floats(float *to, floats<N> x, int32_t count) {
#if defined(__ARM_FEATURE_MVE)
  vstrwq_p_f32(to, (float32x4_t)x, vctp32q((uint32_t)count));
#else
  if (count >= N)
    return store_floats<N>(to, x);
#if defined(__AVX2__)
  if constexpr (N == 8)
    return _mm256_maskstore_ps(to, lane_mask(count), (__m256)x);
#endif
#if defined(__AVX512F__)
  if constexpr (N == 16)
    return _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)x);
#endif
#pragma clang loop unroll(full)
  for (int32_t i = 0; i < N - 1; ++i)
    if (i < count)
      to[i] = x[i];
#endif
}

/// Where a number of lanes is asked for: all.
struct all_lanes {};
template <int32_t N> AOTC_INLINE floats<N> load_floats(const float *x, all_lanes) {
  return load_floats<N>(x);
}
template <int32_t N> AOTC_INLINE void store_floats(float *to, floats<N> x, all_lanes) {
  store_floats<N>(to, x);
}

/// Calls step(first, lanes) for all of `count` elements, N at a time, first to last
/// or last to first; the rest, fewer than N, comes last.
template <int32_t N, typename Step>
AOTC_INLINE void for_vectors(int32_t count, int32_t descending, const Step &step) {
  int32_t at = descending ? count - N : 0, left = count;
  for (; left >= N; left -= N, at += descending ? -N : N)
    step(at, all_lanes());
  if (left)
    step(descending ? 0 : at, left);
}

} // namespace
