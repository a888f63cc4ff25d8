// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, 1x1, Armv7E-M. Two pixels x two channels: 12 instructions for
// 16 multiply-accumulates.
//
// The weights of two output channels share a halfword 256*u + v. SMLAD with
// such words sums 256*U + V over two inputs; SXTB16 of the same word leaves v,
// and a second SMLAD sums V. 256*U = (256*U + V) - V is exact modulo 2^32 while
// |U| < 2^23, which the host checks. The inputs of two pixels are widened once
// into scratch, in the order the loop reads them; a single last pixel is its
// own neighbour.
#include "targets/KernelABI.h"
#include "targets/arm_m/kernels/conv_2d_1x1.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/window.h"

#define ALWAYS_INLINE __attribute__((always_inline))

/// Tensors may start at any byte: LDR does, LDM and LDRD would fault.
static inline int32_t load_word(const int8_t *p) {
  int32_t word;
  __builtin_memcpy(&word, p, 4);
  return word;
}

/// Bytes 0 and 2, and bytes 1 and 3, as halfwords; the rotation is part of
/// SXTB16.
static inline int32_t even_bytes(int32_t word) { return __builtin_arm_sxtb16(word); }
static inline int32_t odd_bytes(int32_t word) {
  return __builtin_arm_sxtb16((int32_t)((uint32_t)word >> 8 | (uint32_t)word << 24));
}

static ALWAYS_INLINE inline void widen_four(int32_t a, int32_t b, int32_t *s) {
  s[0] = even_bytes(a);
  s[1] = even_bytes(b);
  s[2] = odd_bytes(a);
  s[3] = odd_bytes(b);
}

/// The first `count` < 4 bytes at p; zeros behind them.
static inline int32_t load_bytes(const int8_t *p, int32_t count) {
  uint32_t word = (uint8_t)p[0];
  if (count > 1)
    word |= (uint32_t)(uint8_t)p[1] << 8;
  if (count > 2)
    word |= (uint32_t)(uint8_t)p[2] << 16;
  return (int32_t)word;
}

/// Pixels a and b of `channels` into scratch.
static ALWAYS_INLINE inline void widen_pair(const int8_t *a, const int8_t *b, int32_t *s,
                                            int32_t channels) {
#pragma clang loop unroll(disable)
  for (int32_t fours = channels >> 2; fours; --fours, a += 4, b += 4, s += 4)
    widen_four(load_word(a), load_word(b), s);
  if (int32_t rest = channels & 3)
    widen_four(load_bytes(a, rest), load_bytes(b, rest), s);
}

/// Sums of two channels at two pixels: uv = 256*U + V.
struct sums_2x2 {
  int32_t uv0, uv1, v0, v1;
};

// Four input channels; written four times rather than by .rept, for LLVM
// estimates the size of assembly by its lines.
#define STEP                                                                                       \
  "ldmia %[w]!, {r4, r5}\n\t"                                                                      \
  "ldmia %[x]!, {r6, r8, r9, r10}\n\t"                                                             \
  "smlad %[uv0], r4, r6, %[uv0]\n\t"                                                               \
  "smlad %[uv1], r4, r8, %[uv1]\n\t"                                                               \
  "sxtb16 r4, r4\n\t"                                                                              \
  "smlad %[v0], r4, r6, %[v0]\n\t"                                                                 \
  "smlad %[v1], r4, r8, %[v1]\n\t"                                                                 \
  "smlad %[uv0], r5, r9, %[uv0]\n\t"                                                               \
  "smlad %[uv1], r5, r10, %[uv1]\n\t"                                                              \
  "sxtb16 r5, r5\n\t"                                                                              \
  "smlad %[v0], r5, r9, %[v0]\n\t"                                                                 \
  "smlad %[v1], r5, r10, %[v1]\n\t"

#define DOT_OPERANDS                                                                               \
  [w] "+r"(w), [x] "+r"(x), [n] "+r"(steps), [uv0] "+r"(s.uv0), [uv1] "+r"(s.uv1),                 \
      [v0] "+r"(s.v0), [v1] "+r"(s.v1) : : "r4", "r5", "r6", "r8", "r9", "r10", "cc", "memory"

/// Adds `steps` >= 1 groups of four input channels; returns w behind them.
static ALWAYS_INLINE inline const int32_t *dot_2x2(const int32_t *w, const int32_t *x,
                                                   int32_t steps, sums_2x2 &s) {
  // Where the shape is constant, one of the two remains.
  if ((steps & 3) == 0) {
    __asm__ volatile("1:\n\t" STEP STEP STEP STEP "subs %[n], #4\n\t"
                     "bne 1b"
                     : DOT_OPERANDS);
    return w;
  }
  __asm__ volatile("subs %[n], #4\n\t"
                   "blt 2f\n"
                   "1:\n\t" STEP STEP STEP STEP "subs %[n], #4\n\t"
                   "bge 1b\n"
                   "2:\n\t"
                   "adds %[n], #4\n\t"
                   "beq 4f\n"
                   "3:\n\t" STEP "subs %[n], #1\n\t"
                   "bne 3b\n"
                   "4:"
                   : DOT_OPERANDS);
  return w;
}

/// What becomes of the sums of one channel.
struct channel_tail {
  int32_t mantissa;
  int32_t add_or_shift;
  int32_t right_or_bias;
};

/// `sum` is 2^up times the accumulator. SMMLAR gives
/// add + floor((2*acc*mantissa + 2^31) / 2^32): the rounded doubling high
/// product and everything the second rounding adds.
static ALWAYS_INLINE inline int32_t finish(int32_t sum, int32_t up, const channel_tail &tail,
                                           int32_t rounding, int32_t clamped,
                                           const aotc_conv_2d_s8_layer &layer) {
  if (rounding == aotc_rounding_any) {
    const uint32_t acc = (uint32_t)(sum >> up) + (uint32_t)tail.right_or_bias;
    return aotc_requantize_s8(acc, {tail.mantissa, tail.add_or_shift}, 1, layer.out_zero_point,
                              layer.act_min, layer.act_max);
  }
  const int32_t twice = up ? sum >> (up - 1) : aotc_wrap((uint32_t)sum << 1);
  const int32_t add =
      rounding == aotc_rounding_away ? tail.add_or_shift + (sum >> 31) : tail.add_or_shift;
  int32_t value;
  __asm__("smmlar %0, %1, %2, %3" : "=r"(value) : "r"(twice), "r"(tail.mantissa), "r"(add));
  value >>= tail.right_or_bias;
  return clamped ? aotc_clamp(value, layer.act_min, layer.act_max) : __builtin_arm_ssat(value, 8);
}

/// All channels of one pixel pair.
static ALWAYS_INLINE inline void convolve_pair(const aotc_conv_2d_1x1_shape &shape,
                                               const aotc_conv_2d_s8_layer &layer, const int32_t *w,
                                               const int32_t *x, int8_t *y0, int8_t *y1) {
  const int32_t steps = (shape.in_c + 3) >> 2;
#pragma clang loop unroll(disable)
  for (int32_t left = shape.out_c; left > 0; left -= 2, y0 += 2, y1 += 2) {
    sums_2x2 s = {w[0], w[0], w[1], w[1]};
    w = dot_2x2(w + 2, x, steps, s);
    // 256*U.
    const int32_t u0 = aotc_wrap((uint32_t)s.uv0 - (uint32_t)s.v0);
    const int32_t u1 = aotc_wrap((uint32_t)s.uv1 - (uint32_t)s.v1);
    auto result = [&](int32_t sum, int32_t up, const channel_tail &tail) {
      return finish(sum, up, tail, shape.rounding, shape.clamped, layer);
    };
    // The outputs might overlap anything, as far as the compiler knows: all
    // loads stand before the stores.
    const channel_tail u = {w[0], w[2], w[4]}, v = {w[1], w[3], w[5]};
    w += 6;
    const int32_t out_u0 = result(u0, 8, u), out_u1 = result(u1, 8, u);
    const int32_t out_v0 = result(s.v0, 0, v), out_v1 = result(s.v1, 0, v);
    y0[0] = (int8_t)out_u0;
    y1[0] = (int8_t)out_u1;
    if (left > 1) {
      y0[1] = (int8_t)out_v0;
      y1[1] = (int8_t)out_v1;
    }
  }
}

AOTC_KERNEL_FN(aotc_conv_2d_s8_1x1__dsp) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_1x1_shape, aotc_conv_2d_s8_layer);
  const int32_t *weights = static_cast<const int32_t *>(data[0]);
  int32_t *widened = static_cast<int32_t *>(scratch);
  const int32_t step = shape.stride_w * shape.in_c;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const int8_t *x = static_cast<const int8_t *>(in[row * shape.stride_h]);
    int8_t *y = static_cast<int8_t *>(out[row]);
    // Pairs from the front, or from the back; the one pixel left of an odd
    // count comes last.
#pragma clang loop unroll(disable)
    for (int32_t left = shape.pixels; left > 0; left -= 2) {
      const int32_t both = left > 1;
      const int32_t first = descending ? left - 1 - both : shape.pixels - left;
      const int8_t *x0 = x + first * step;
      int8_t *y0 = y + first * shape.out_c;
      widen_pair(x0, x0 + both * step, widened, shape.in_c);
      convolve_pair(shape, layer, weights, widened, y0, y0 + both * shape.out_c);
    }
  }
}
