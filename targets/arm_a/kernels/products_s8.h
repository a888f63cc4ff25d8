// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products of int8 values, sixteen at a time, without dot product
// instructions: SMULL, SMLAL2 and SADALP. Device code only.
#pragma once

#include "targets/generic/kernels/inline.h"

#include <arm_neon.h>

namespace {

/// Adds 16 products to four partial sums.
struct pair_products {
  int32_t pairs; ///< 16 bits hold the sum of two products that lie 8 apart

  AOTC_INLINE int32x4_t operator()(int32x4_t acc, int8x16_t w, int8x16_t x) const {
    const int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(x));
    if (pairs)
      return vpadalq_s16(acc, vmlal_s8(low, vget_high_s8(w), vget_high_s8(x)));
    return vpadalq_s16(vpadalq_s16(acc, low), vmull_s8(vget_high_s8(w), vget_high_s8(x)));
  }
};

/// `w` is used after `acc` is complete: else LLVM starts all multiplications of a
/// loop at once, and runs out of registers.
AOTC_INLINE void use_after(int8x16_t &w, int32x4_t &acc) { __asm__("" : "+w"(w), "+w"(acc)); }

/// The sum of each.
AOTC_INLINE int32x4_t sum_each(int32x4_t a, int32x4_t b, int32x4_t c, int32x4_t d) {
#ifdef __aarch64__
  return vpaddq_s32(vpaddq_s32(a, b), vpaddq_s32(c, d));
#else
  auto halves = [](int32x4_t x) { return vpadd_s32(vget_low_s32(x), vget_high_s32(x)); };
  return vcombine_s32(vpadd_s32(halves(a), halves(b)), vpadd_s32(halves(c), halves(d)));
#endif
}

} // namespace
