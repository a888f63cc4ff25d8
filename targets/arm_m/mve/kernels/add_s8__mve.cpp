// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD, int8, Armv8.1-M with Helium: two multiply-accumulates and two saturating
// shifts for four results. The host has checked the constants over all pairs of
// operands.
#include "targets/arm_m/kernels/add_linear.h"

#include <arm_mve.h>

AOTC_KERNEL_FN(aotc_add_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_add_linear_shape, aotc_add_linear_layer);
  const auto *a = static_cast<const int8_t *>(in[0]);
  const auto *b = static_cast<const int8_t *>(in[1]);
  auto *y = static_cast<int8_t *>(out[0]);
  const int32_t lhs_factor = layer.lhs_factor, rhs_factor = layer.rhs_factor;
  const int32_t shift = shape.shift, count = layer.count;
  const int32x4_t round = vdupq_n_s32(layer.round);
  auto add = [&](int32x4_t lhs, int32x4_t rhs) {
    const int32x4_t sum = vmlaq_n_s32(vmlaq_n_s32(round, lhs, lhs_factor), rhs, rhs_factor);
    // Tops do not matter: they keep what is there.
    const int16x8_t half = vqshrnbq_n_s32(vreinterpretq_s16_s32(sum), sum, 16);
    const int8x16_t top = vreinterpretq_s8_s16(half);
    return vreinterpretq_s32_s8(shift == 22 ? vqshrnbq_n_s16(top, half, 6)
                                            : vqshrnbq_n_s16(top, half, 4));
  };
  static_assert(sizeof aotc_add_linear_shifts == 8 && aotc_add_linear_shifts[0] == 22 &&
                aotc_add_linear_shifts[1] == 20);
  // Both vectors are read before either is written.
  const int32_t step = descending ? -8 : 8, first = descending ? count - 8 : 0;
  a += first, b += first, y += first;
#pragma clang loop unroll(disable)
  for (int32_t left = count >> 3; left > 0; --left, a += step, b += step, y += step) {
    const int32x4_t low = add(vldrbq_s32(a), vldrbq_s32(b));
    const int32x4_t high = add(vldrbq_s32(a + 4), vldrbq_s32(b + 4));
    vstrbq_s32(y, low);
    vstrbq_s32(y + 4, high);
  }
  // The rest: behind the last eight, or before the first.
  const int32_t rest = count & 7;
  if (!rest)
    return;
  if (descending)
    a += 8 - rest, b += 8 - rest, y += 8 - rest;
  const mve_pred16_t some = vctp32q((uint32_t)rest);
  const mve_pred16_t more = vctp32q(rest > 4 ? (uint32_t)(rest - 4) : 0);
  const int32x4_t low = add(vldrbq_z_s32(a, some), vldrbq_z_s32(b, some));
  const int32x4_t high = add(vldrbq_z_s32(a + 4, more), vldrbq_z_s32(b + 4, more));
  vstrbq_p_s32(y, low, some);
  vstrbq_p_s32(y + 4, high, more);
}
