// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MUL, int8, any broadcasting, 16 elements at a time. An operand that the
// innermost loop repeats is read before it; groups are read before they are
// written, in the order of the portable kernel: its distances hold. Device code
// only.
#pragma once

#include "targets/generic/kernels/binary_lanes.h"
#include "targets/generic/kernels/multiply_lanes.h"

namespace {

AOTC_INLINE void multiply_bytes(const aotc_binary_shape &shape, const aotc_mul_s8_layer &layer,
                                const void *const *in, void *const *out, int32_t descending) {
  const aotc_mul_s8_layer p = layer; // results may alias it
  const binary_run run(shape);
  auto multiply = [&](const int8_t *lhs, const int8_t *rhs, int8_t *y) AOTC_INLINED {
    const int8_t one_lhs = *lhs, one_rhs = *rhs;
    for_fewer_lanes<16>(0, run.size, descending, [&]<int32_t N>(int32_t at) AOTC_INLINED {
      // Differences have 9 bits, products 17.
      using halves = lanes<int16_t, N>;
      using words = lanes<int32_t, N>;
      const auto l = run.lhs_walks ? load_lanes<N>(lhs + at) : all_lanes<N>(one_lhs);
      const auto r = run.rhs_walks ? load_lanes<N>(rhs + at) : all_lanes<N>(one_rhs);
      const halves a = __builtin_convertvector(l, halves) - (int16_t)p.lhs_zero_point;
      const halves b = __builtin_convertvector(r, halves) - (int16_t)p.rhs_zero_point;
      const words product = __builtin_convertvector(a, words) * __builtin_convertvector(b, words);
      store_lanes<N>(y + at, bytes_of<N>(multiply_lanes<N>(product, p.mantissa, p.shift),
                                         p.out_zero_point, p.min, p.max));
    });
  };
  for_runs(shape, static_cast<const int8_t *>(in[0]), static_cast<const int8_t *>(in[1]),
           static_cast<int8_t *>(out[0]), descending, multiply);
}

} // namespace
