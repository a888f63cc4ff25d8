// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD, int8, any broadcasting, NEON: sixteen elements at a time, with the roundings
// of the reference. An operand that the innermost loop repeats is read before it.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/requantize_s8.h"
#include "targets/generic/kernels/binary_lanes.h"

namespace {

/// Multiplies by a multiplier that shifts right, with both roundings
/// (requantize_s8.h).
struct rescale {
  int32x4_t mantissa, right;

  AOTC_INLINE rescale(int32_t factor, int32_t shift)
      : mantissa(vdupq_n_s32(factor)), right(vdupq_n_s32(shift)) {}

  AOTC_INLINE int32x4_t operator()(int32x4_t x) const {
    return round_right(vqrdmulhq_s32(x, mantissa), right);
  }
};

/// One operand, scaled.
struct operand {
  rescale scale;
  int8x8_t zero_point;
  int32_t half;

  AOTC_INLINE int16x8_t difference(int8x8_t x) const { return vsubl_s8(x, zero_point); }
  AOTC_INLINE int32x4_t operator()(int16x4_t x) const {
    if (half) // times 2^19
      return vshlq_n_s32(vshll_n_s16(x, 15), AOTC_ADD_S8_LEFT_SHIFT - 16);
    return scale(vshlq_n_s32(vshll_n_s16(x, 15), AOTC_ADD_S8_LEFT_SHIFT - 15));
  }
};

struct adder {
  operand left, right;
  rescale scale;
  output_range range;

  AOTC_INLINE int8x8_t operator()(int8x8_t lhs, int8x8_t rhs) const {
    const int16x8_t l = left.difference(lhs), r = right.difference(rhs);
    const int32x4_t low = vaddq_s32(left(vget_low_s16(l)), right(vget_low_s16(r)));
    const int32x4_t high = vaddq_s32(left(vget_high_s16(l)), right(vget_high_s16(r)));
    return clamp_bytes(narrow(scale(low), scale(high), AOTC_NEON_REQUANTIZE_RIGHT, range), range);
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_add_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_add_s8_shape, aotc_add_s8_layer);
  const adder add = {{{layer.lhs_mantissa, layer.lhs_shift},
                      vdup_n_s8((int8_t)layer.lhs_zero_point),
                      shape.lhs_half},
                     {{layer.rhs_mantissa, layer.rhs_shift},
                      vdup_n_s8((int8_t)layer.rhs_zero_point),
                      shape.rhs_half},
                     {layer.out_mantissa, layer.out_shift},
                     {layer.out_zero_point, layer.min, layer.max}};

  // Sixteens from the front, or from the back; the rest one by one.
  const binary_run run(shape.loops);
  const int32_t whole = run.size / 16, rest = run.size % 16;
  const int32_t first = descending ? rest : 0;
  auto sums = [&](const int8_t *lhs, const int8_t *rhs, int8_t *y) AOTC_INLINED {
    const int8x16_t one_lhs = vdupq_n_s8(*lhs), one_rhs = vdupq_n_s8(*rhs);
    for (int32_t i = 0; i < whole; ++i) {
      const int32_t at = first + 16 * aotc_directed(i, whole, descending);
      const int8x16_t l = run.lhs_walks ? vld1q_s8(lhs + at) : one_lhs;
      const int8x16_t r = run.rhs_walks ? vld1q_s8(rhs + at) : one_rhs;
      vst1q_s8(y + at, vcombine_s8(add(vget_low_s8(l), vget_low_s8(r)),
                                   add(vget_high_s8(l), vget_high_s8(r))));
    }
    for (int32_t i = 0; i < rest; ++i) {
      const int32_t at = descending ? rest - 1 - i : 16 * whole + i;
      const int8x8_t l = run.lhs_walks ? vdup_n_s8(lhs[at]) : vget_low_s8(one_lhs);
      const int8x8_t r = run.rhs_walks ? vdup_n_s8(rhs[at]) : vget_low_s8(one_rhs);
      vst1_lane_s8(y + at, add(l, r), 0);
    }
  };
  for_runs(shape.loops, static_cast<const int8_t *>(in[0]), static_cast<const int8_t *>(in[1]),
           static_cast<int8_t *>(out[0]), descending, sums);
}
