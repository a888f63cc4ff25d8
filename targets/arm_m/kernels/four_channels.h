// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and maxima of four neighbouring int8 channels over the taps of a window,
// for Cortex-M without Helium: two channels to a word where words may be read
// from any address, one to a register on Armv6-M and Armv8-M Baseline.
#pragma once

#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

#include <stdint.h>

#ifdef __arm__

#ifdef __ARM_FEATURE_UNALIGNED
AOTC_INLINE uint32_t aotc_word_at(const int8_t *p) {
  uint32_t word;
  __builtin_memcpy(&word, p, 4);
  return word;
}
#endif

/// Of one channel.
struct aotc_sum_of_one {
  static constexpr int32_t channels = 1;
  int32_t sum = 0;
  AOTC_INLINE void add(const int8_t *x) { sum += *x; }
  AOTC_INLINE int32_t get(int, int32_t) const { return sum; }
};

/// get(i, taps): the sum of channel i after so many add(), AOTC_SUM_TAPS at most.
struct aotc_sum_of_four {
  static constexpr int32_t channels = 4;
#ifdef __ARM_FEATURE_UNALIGNED
  uint32_t even = 0, odd = 0; // channels 0 and 2, 1 and 3
#ifdef __ARM_FEATURE_DSP
  AOTC_INLINE void add(const int8_t *x) {
    const uint32_t word = aotc_word_at(x);
    even = (uint32_t)__builtin_arm_sxtab16((int32_t)even, (int32_t)word);
    odd = (uint32_t)__builtin_arm_sxtab16((int32_t)odd, (int32_t)(word >> 8 | word << 24));
  }
  AOTC_INLINE int32_t get(int i, int32_t) const {
    const uint32_t word = i & 1 ? odd : even;
    return (int16_t)(i & 2 ? word >> 16 : word);
  }
#else
  AOTC_INLINE void add(const int8_t *x) {
    const uint32_t word = aotc_word_at(x) ^ 0x80808080u; // 128 higher
    even += word & 0x00ff00ffu;
    odd += (word & 0xff00ff00u) >> 8;
  }
  AOTC_INLINE int32_t get(int i, int32_t taps) const {
    const uint32_t word = i & 1 ? odd : even;
    return (int32_t)(i & 2 ? word >> 16 : word & 0xffffu) - 128 * taps;
  }
#endif
#else
  int32_t sums[4] = {};
  AOTC_INLINE void add(const int8_t *x) {
    sums[0] += x[0];
    sums[1] += x[1];
    sums[2] += x[2];
    sums[3] += x[3];
  }
  AOTC_INLINE int32_t get(int i, int32_t) const { return sums[i]; }
#endif
};

AOTC_INLINE int32_t aotc_larger(int32_t a, int32_t b) { return a > b ? a : b; }

/// As aotc_sum_of_one.
struct aotc_max_of_one {
  static constexpr int32_t channels = 1;
  int32_t max = INT8_MIN;
  AOTC_INLINE void add(const int8_t *x) { max = aotc_larger(*x, max); }
  AOTC_INLINE int32_t get(int, int32_t) const { return max; }
};

/// As aotc_sum_of_four.
struct aotc_max_of_four {
  static constexpr int32_t channels = 4;
#ifdef __ARM_FEATURE_DSP
  uint32_t max = 0x80808080u;
  AOTC_INLINE void add(const int8_t *x) {
    // SEL takes the bytes that are not less than the maximum's. In one statement:
    // the compiler does not know of the flags between the two.
    uint32_t larger;
    asm("ssub8 %0, %1, %2\n sel %0, %1, %2"
        : "=&r"(larger)
        : "r"(aotc_word_at(x)), "r"(max)
        : "cc");
    max = larger;
  }
  AOTC_INLINE int32_t get(int i, int32_t) const { return (int8_t)(max >> 8 * i); }
#else
  int32_t max[4] = {INT8_MIN, INT8_MIN, INT8_MIN, INT8_MIN};
  AOTC_INLINE void add(const int8_t *x) {
    const int32_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    max[0] = aotc_larger(x0, max[0]);
    max[1] = aotc_larger(x1, max[1]);
    max[2] = aotc_larger(x2, max[2]);
    max[3] = aotc_larger(x3, max[3]);
  }
  AOTC_INLINE int32_t get(int i, int32_t) const { return max[i]; }
#endif
};

/// visit(group, c) for all channels in the order of `descending`: `Four` for as
/// many fours as there are, counted from the first, `One` for the rest.
template <typename Four, typename One, typename Visit>
AOTC_INLINE void aotc_visit_channels(int32_t channels, int32_t descending, Visit visit) {
  const int32_t fours = channels / 4, groups = fours + channels % 4;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < groups; ++i) {
    const int32_t group = aotc_directed(i, groups, descending);
    if (group < fours)
      visit(Four(), 4 * group);
    else
      visit(One(), 3 * fours + group);
  }
}

/// group.add() of `taps` pixels from x on.
template <typename Group>
AOTC_INLINE void aotc_add_taps(Group &group, const int8_t *x, int32_t taps, int32_t pixel_bytes) {
#pragma clang loop unroll(disable)
  for (; taps > 0; --taps, x += pixel_bytes)
    group.add(x);
}

#endif
