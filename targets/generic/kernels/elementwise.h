// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the elementwise kernels, and the loop of the binary ones.
// Shared by device code and host side.
#pragma once

#include <stdint.h>

/// One operand, one result of as many elements.
struct aotc_unary_shape {
  int32_t count;
};

/// Bytes that kernels in vectors look up in a table before they write any of them.
enum { AOTC_TABLE_BLOCK = 32 };

/// No parameters besides the data.
struct aotc_no_layer {
  int32_t unused;
};

/// Bounds of a float result, as bits.
struct aotc_float_clamp_layer {
  int32_t min, max;
};

/// Elements that kernels in vectors quantise before they write any of them.
enum { AOTC_QUANTIZE_BLOCK = 16 };

/// QUANTIZE from float. Scale as bits.
struct aotc_quantize_layer {
  int32_t scale;
  int32_t zero_point;
  int32_t min, max;
};

/// DEQUANTIZE: outer x channels x inner; data: one scale (float) and one zero
/// point (int32) per channel.
struct aotc_dequantize_shape {
  int32_t outer, channels, inner;
};

enum { AOTC_BINARY_RANK = 6 };

/// Two operands with NumPy broadcasting: six nested loops, outermost first, in
/// elements. Neighbouring dimensions that are walked alike are merged by the
/// host, unused ones have size 1. A stride of 0 repeats the operand.
struct aotc_binary_shape {
  int32_t size[AOTC_BINARY_RANK];
  int32_t lhs_stride[AOTC_BINARY_RANK];
  int32_t rhs_stride[AOTC_BINARY_RANK];
};

/// ADD int8. An operand whose scale is not below the other's has the multiplier
/// 1/2: its mantissa is not used.
struct aotc_add_s8_shape {
  aotc_binary_shape loops;
  int32_t lhs_half, rhs_half;
};
/// Shifts are from -31 to -1 (fixed_point.h).
struct aotc_add_s8_layer {
  int32_t lhs_zero_point, rhs_zero_point, out_zero_point;
  int32_t lhs_mantissa, lhs_shift;
  int32_t rhs_mantissa, rhs_shift;
  int32_t out_mantissa, out_shift;
  int32_t min, max;
};
/// Bits both operands are shifted left by before they are rescaled.
enum { AOTC_ADD_S8_LEFT_SHIFT = 20 };

/// MUL int8.
struct aotc_mul_s8_layer {
  int32_t lhs_zero_point, rhs_zero_point, out_zero_point;
  int32_t mantissa, shift;
  int32_t min, max;
};

#ifdef __cplusplus
/// Walks both operands and the result, `step` elements at a time (1 or -1).
template <int Dim, typename T, typename Op>
static inline __attribute__((always_inline)) void
aotc_binary_walk(const aotc_binary_shape &shape, const T *lhs, const T *rhs, T *out, int32_t l,
                 int32_t r, int32_t &o, int32_t step, Op op) {
  int32_t lhs_step = step * shape.lhs_stride[Dim];
  int32_t rhs_step = step * shape.rhs_stride[Dim];
  for (int32_t i = 0; i < shape.size[Dim]; ++i) {
    if constexpr (Dim + 1 < AOTC_BINARY_RANK) {
      aotc_binary_walk<Dim + 1>(shape, lhs, rhs, out, l, r, o, step, op);
    } else {
      out[o] = op(lhs[l], rhs[r]);
      o += step;
    }
    l += lhs_step;
    r += rhs_step;
  }
}

/// out = op(lhs, rhs), elements first to last or last to first.
template <typename T, typename Op>
static inline __attribute__((always_inline)) void
aotc_binary_loop(const aotc_binary_shape &shape, const T *lhs, const T *rhs, T *out,
                 int32_t descending, Op op) {
  int32_t l = 0, r = 0, o = 0;
  if (descending) {
    o = 1;
    for (int d = 0; d < AOTC_BINARY_RANK; ++d) {
      l += (shape.size[d] - 1) * shape.lhs_stride[d];
      r += (shape.size[d] - 1) * shape.rhs_stride[d];
      o *= shape.size[d];
    }
    --o;
  }
  aotc_binary_walk<0>(shape, lhs, rhs, out, l, r, o, descending ? -1 : 1, op);
}
#endif
