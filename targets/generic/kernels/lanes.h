// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N elements or channels at a time in the compiler's vectors, which it maps to
// those of the CPU (and shares out over the registers of a scalar FPU): loads,
// stores, and walks with what is left at the end. Device code only.
#pragma once

#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

#include <stdint.h>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

namespace {

template <typename T, int32_t N> struct lanes_of {
  typedef T type __attribute__((vector_size(sizeof(T) * N)));
};
template <typename T, int32_t N> using lanes = typename lanes_of<T, N>::type;
template <int32_t N> using floats = lanes<float, N>;

/// All lanes x.
template <int32_t N, typename T> AOTC_INLINE lanes<T, N> all_lanes(T x) {
  return x - lanes<T, N>{};
}

/// From and to any address.
template <int32_t N, typename T> AOTC_INLINE lanes<T, N> load_lanes(const T *x) {
  lanes<T, N> result;
  __builtin_memcpy(&result, x, sizeof result);
  return result;
}

template <int32_t N, typename T> AOTC_INLINE void store_lanes(T *to, lanes<T, N> x) {
  __builtin_memcpy(to, &x, sizeof x);
}

#if defined(__AVX2__)
/// The first `count` of eight words.
AOTC_INLINE __m256i lane_mask(int32_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
#endif

#if defined(__AVX512BW__)
constexpr int32_t most_bytes = 64; ///< of the two below: 16 or more

/// The first `count` of N bytes, fewer than all; the others are 0.
template <int32_t N> AOTC_INLINE lanes<int8_t, N> load_some_bytes(const void *x, int32_t count) {
  if constexpr (N == 64)
    return (lanes<int8_t, N>)_mm512_maskz_loadu_epi8(((__mmask64)1 << count) - 1, x);
  else if constexpr (N == 32)
    return (lanes<int8_t, N>)_mm256_maskz_loadu_epi8(((__mmask32)1 << count) - 1, x);
  else
    return (lanes<int8_t, N>)_mm_maskz_loadu_epi8((__mmask16)((1u << count) - 1), x);
}

template <int32_t N>
AOTC_INLINE void store_some_bytes(void *to, lanes<int8_t, N> x, int32_t count) {
  if constexpr (N == 64)
    _mm512_mask_storeu_epi8(to, ((__mmask64)1 << count) - 1, (__m512i)x);
  else if constexpr (N == 32)
    _mm256_mask_storeu_epi8(to, ((__mmask32)1 << count) - 1, (__m256i)x);
  else
    _mm_mask_storeu_epi8(to, (__mmask16)((1u << count) - 1), (__m128i)x);
}
#elif defined(__AVX2__)
constexpr int32_t most_bytes = 16;

/// The same with one or two pieces of eight.
template <int32_t N> AOTC_INLINE lanes<int8_t, N> load_some_bytes(const void *x, int32_t count) {
  static_assert(N == 16);
  const auto *from = static_cast<const uint8_t *>(x);
  uint64_t low = 0, high = 0;
  if (count >= 8) {
    __builtin_memcpy(&low, from, 8);
    for (int32_t i = 8; i < count; ++i)
      high |= (uint64_t)from[i] << (8 * (i - 8));
  } else {
    for (int32_t i = 0; i < count; ++i)
      low |= (uint64_t)from[i] << (8 * i);
  }
  return (lanes<int8_t, N>)_mm_set_epi64x((int64_t)high, (int64_t)low);
}

template <int32_t N>
AOTC_INLINE void store_some_bytes(void *to, lanes<int8_t, N> x, int32_t count) {
  static_assert(N == 16);
  auto *at = static_cast<int8_t *>(to);
  auto low = (__m128i)x;
  if (count >= 8) {
    _mm_storel_epi64(static_cast<__m128i *>(to), low);
    low = _mm_unpackhi_epi64(low, low);
    at += 8;
    count -= 8;
  }
  uint64_t bytes = (uint64_t)_mm_cvtsi128_si64(low);
  for (; count > 0; --count, bytes >>= 8)
    *at++ = (int8_t)bytes;
}
#endif

/// `count` (N or fewer) elements, the other lanes 0; reads no others. Element by
/// element where there are no instructions for parts of vectors.
template <int32_t N, typename T> AOTC_INLINE lanes<T, N> load_lanes(const T *x, int32_t count) {
#if defined(__ARM_FEATURE_MVE)
  if constexpr (sizeof(T) == 4 && N == 4)
    return (lanes<T, N>)vldrwq_z_s32((const int32_t *)x, vctp32q((uint32_t)count));
#endif
  if (count >= N)
    return load_lanes<N>(x);
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4 && N == 8)
    return (lanes<T, N>)_mm256_maskload_ps((const float *)x, lane_mask(count));
  if constexpr (sizeof(T) == 1 && N >= 16 && N <= most_bytes)
    return (lanes<T, N>)load_some_bytes<N>(x, count);
#endif
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4 && N == 16)
    return (lanes<T, N>)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), x);
#endif
  lanes<T, N> result = {};
#pragma clang loop unroll(full)
  for (int32_t i = 0; i < N - 1; ++i)
    if (i < count)
      result[i] = x[i];
  return result;
}

/// Writes the first `count` (at least 1) lanes; N or more: all.
template <int32_t N, typename T> AOTC_INLINE void store_lanes(T *to, lanes<T, N> x, int32_t count) {
#if defined(__ARM_FEATURE_MVE)
  if constexpr (sizeof(T) == 4 && N == 4)
    return vstrwq_p_s32((int32_t *)to, (int32x4_t)x, vctp32q((uint32_t)count));
#endif
  if (count >= N)
    return store_lanes<N>(to, x);
#if defined(__AVX2__)
  if constexpr (sizeof(T) == 4 && N == 8)
    return _mm256_maskstore_ps((float *)to, lane_mask(count), (__m256)x);
  if constexpr (sizeof(T) == 1 && N >= 16 && N <= most_bytes)
    return store_some_bytes<N>(to, (lanes<int8_t, N>)x, count);
#endif
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4 && N == 16)
    return _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1), (__m512)x);
#endif
#pragma clang loop unroll(full)
  for (int32_t i = 0; i < N - 1; ++i)
    if (i < count)
      to[i] = x[i];
}

/// Where a number of lanes is asked for: all.
struct whole {};
template <int32_t N, typename T> AOTC_INLINE lanes<T, N> load_lanes(const T *x, whole) {
  return load_lanes<N>(x);
}
template <int32_t N, typename T> AOTC_INLINE void store_lanes(T *to, lanes<T, N> x, whole) {
  store_lanes<N>(to, x);
}

/// The fused activation of floats. NaN passes, as in the reference.
template <int32_t N> struct float_range {
  float min, max;

  AOTC_INLINE floats<N> clamp(floats<N> x) const {
    const floats<N> low = aotc_lane_bound(all_lanes<N>(min)), high = all_lanes<N>(max);
    x = low > x ? low : x;
    return high < x ? high : x;
  }
};

/// step(first, lanes) for all of `count` elements, N at a time, in address order or
/// its reverse; `lanes` is `whole`, or of the rest, fewer than N, which comes
/// last, their number.
template <int32_t N, typename Step>
AOTC_INLINE void for_lanes(int32_t count, int32_t descending, const Step &step) {
  int32_t at = descending ? count - N : 0, left = count;
  for (; left >= N; left -= N, at += descending ? -N : N)
    step(at, whole());
  if (left)
    step(descending ? 0 : at, left);
}

/// step<N>(first) for all of `count` elements from `first` on, by groups of N =
/// Most, and of 16, 8, 4 and 1 what is left: for elements whose parts of vectors no
/// instruction loads. Groups stand in address order, and are visited in it or its
/// reverse.
template <int32_t Most, typename Step>
AOTC_INLINE void for_fewer_lanes(int32_t first, int32_t count, int32_t descending,
                                 const Step &step) {
  const int32_t groups = count / Most, rest = count % Most;
  auto others = [&]() AOTC_INLINED {
    if constexpr (Most > 1)
      if (rest)
        for_fewer_lanes<(Most > 4 ? Most / 2 : 1)>(first + groups * Most, rest, descending, step);
  };
  if (descending)
    others();
  for (int32_t i = 0; i < groups; ++i)
    step.template operator()<Most>(first + Most * aotc_directed(i, groups, descending));
  if (!descending)
    others();
}

} // namespace
