// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD, int8, operands of equal shape: parameters, shared by host and device, and
// the device code for Cortex-M: two multiply-accumulates and a saturation per
// result, out = sat8((lhs * lhs_factor + rhs * rhs_factor + round)
// >> shift). The host has checked the constants over all pairs of operands.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/inline.h"

struct aotc_add_linear_shape {
  int32_t shift;
};
struct aotc_add_linear_layer {
  int32_t count, lhs_factor, rhs_factor, round;
};

/// The host tries them in this order: the finest form that fits 32 bits, and a
/// coarser one.
constexpr int32_t aotc_add_linear_shifts[] = {22, 20};

#ifdef __arm__

/// x cut to int8.
static AOTC_INLINE int8_t aotc_add_linear_cut(int32_t x) {
#ifdef __ARM_FEATURE_SAT
  return (int8_t)__builtin_arm_ssat(x, 8);
#else
  return (int8_t)(x < -128 ? -128 : x > 127 ? 127 : x);
#endif
}

static AOTC_INLINE void aotc_add_linear(const aotc_add_linear_shape &shape,
                                        const aotc_add_linear_layer &layer, const void *const *in,
                                        void *const *out, int32_t descending) {
  const auto *lhs = static_cast<const int8_t *>(in[0]);
  const auto *rhs = static_cast<const int8_t *>(in[1]);
  auto *y = static_cast<int8_t *>(out[0]);
  const uint32_t lhs_factor = (uint32_t)layer.lhs_factor, rhs_factor = (uint32_t)layer.rhs_factor;
  const uint32_t round = (uint32_t)layer.round;
  const int32_t shift = shape.shift;
  auto add = [&](int32_t a, int32_t b) {
    const int32_t sum = (int32_t)((uint32_t)a * lhs_factor + (uint32_t)b * rhs_factor + round);
    return aotc_add_linear_cut(sum >> shift);
  };
  int32_t count = layer.count, at = 0, step = 4;
  if (descending) {
    at = count - 4;
    step = -4;
  }
#pragma clang loop unroll(disable)
  for (; count >= 4; count -= 4, at += step) {
    // All loads stand before the stores: the results might overlap them, as far
    // as the compiler knows. A run of loads takes a cycle each.
    const int8_t *a = lhs + at, *b = rhs + at;
    const int32_t a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const int32_t b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    const int8_t y0 = add(a0, b0), y1 = add(a1, b1), y2 = add(a2, b2), y3 = add(a3, b3);
    y[at] = y0;
    y[at + 1] = y1;
    y[at + 2] = y2;
    y[at + 3] = y3;
  }
  // The rest: behind the last four, or before the first.
#pragma clang loop unroll(disable)
  for (at = descending ? count - 1 : layer.count - count; count > 0;
       --count, at += descending ? -1 : 1)
    y[at] = add(lhs[at], rhs[at]);
}

#endif
