// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dot product of the int8 convolutions for Armv7-M: two pixels x four
// channels, 37 cycles for 16 multiply-accumulates. MUL takes one cycle, MLA two, a
// product of 64 bits four or more: so two pixels share a word (thumb2_stream.h)
// and products are added by ADD, whose second operand is shifted for nothing. A
// run of n loads takes n + 1 cycles; three to four registers are free for one.
//
//   r4      inputs, 4 bytes behind        r6, r8, r10, r12  `all` of a channel
//   r5      weights, 1 byte behind        r7, r9, r11, lr   `high`
//   r0-r3   what was read, and products
//
// The pointers move by the last load of its run, which is free. What else a loop
// needs waits on the stack. "aotc.stack=N" tells the compiler's stack figure what
// the assembly pushes.
#pragma once

#include "targets/arm_m/thumb2/kernels/thumb2_stream.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/inline.h"

#define AOTC_PRODUCT(w, x, all, high)                                                              \
  "muls " w ", " x ", " w "\n add " all ", " w "\n add " high ", " high ", " w ", lsr #16\n"

/// Two taps; inputs at r4 + x, weights at r5 + w. NEXT_X loads the second input,
/// LAST_W the last weight.
#define AOTC_TAPS(x, w, NEXT_X, LAST_W)                                                            \
  "ldr r0, [r4, #" x "]\n ldrb r1, [r5, #" w "]\n ldrb r2, [r5, #" w "+1]\n"                       \
  "ldrb r3, [r5, #" w "+2]\n" AOTC_PRODUCT("r1", "r0", "r6", "r7")                                 \
      AOTC_PRODUCT("r2", "r0", "r8", "r9") AOTC_PRODUCT(                                           \
          "r3", "r0", "r10",                                                                       \
          "r11") "ldrb r1, [r5, #" w "+3]\n"                                                       \
                 "ldrb r3, [r5, #" w "+4]\n" NEXT_X AOTC_PRODUCT("r1", "r0", "r12", "lr")          \
                     AOTC_PRODUCT("r3", "r2", "r6",                                                \
                                  "r7") "ldrb r0, [r5, #" w "+5]\n ldrb r1, [r5, #" w              \
                                        "+6]\n" LAST_W AOTC_PRODUCT("r0", "r2", "r8", "r9")        \
                                            AOTC_PRODUCT("r1", "r2", "r10", "r11")                 \
                                                AOTC_PRODUCT("r3", "r2", "r12", "lr")
#define AOTC_INNER_TAPS(x, w)                                                                      \
  AOTC_TAPS(x, w, "ldr r2, [r4, #" x "+4]\n", "ldrb r3, [r5, #" w "+7]\n")

/// aotc_thumb2_turn taps.
#define AOTC_TURN                                                                                  \
  AOTC_INNER_TAPS("4", "1")                                                                        \
  AOTC_INNER_TAPS("12", "9")                                                                       \
  AOTC_INNER_TAPS("20", "17") AOTC_TAPS("28", "25", "ldr r2, [r4, #32]!\n", "ldrb r3, [r5, #32]!\n")

// ---- tails; r5 = end of the weights - 1, r0 to r4 are free ----------------------

#define AOTC_FIT1(sum, mantissa, round)                                                            \
  "smull r3, " sum ", " sum ", " mantissa "\n add " sum ", " round "\n"                            \
  "ssat " sum ", #8, " sum ", asr #%c[up]\n"
#define AOTC_FIT2(all, high, mantissa, round)                                                      \
  "lsl " all ", " all ", #8\n sub " all ", " all ", " high ", lsl #24\n"                           \
  "lsl " high ", " high ", #8\n" AOTC_FIT1(all, mantissa, round) AOTC_FIT1(high, mantissa, round)
#define AOTC_TAIL_FIT                                                                              \
  "ldr r0, [r5, #1]\n ldr r1, [r5, #5]\n ldr r2, [r5, #9]\n ldr r4, [r5, #13]\n" AOTC_FIT2(        \
      "r6", "r7", "r0", "r1")                                                                      \
      AOTC_FIT2(                                                                                   \
          "r8", "r9", "r2",                                                                        \
          "r4") "ldr r0, [r5, #17]\n ldr r1, [r5, #21]\n ldr r2, [r5, #25]\n ldr r4, [r5, #29]\n"  \
                "adds r5, #32\n" AOTC_FIT2("r10", "r11", "r0", "r1")                               \
                    AOTC_FIT2("r12", "lr", "r2", "r4")

#define AOTC_AWAY1(acc)                                                                            \
  "lsl " acc ", " acc ", #1\n add r2, r1, " acc ", asr #31\n smull r3, " acc ", " acc ", r0\n"     \
  "lsls r3, r3, #1\n adc " acc ", " acc ", r2\n asr " acc ", " acc ", r4\n ssat " acc ", #8, " acc \
  "\n"
#define AOTC_AWAY2(all, high, o)                                                                   \
  "ldr r0, [r5, #" o "]\n ldr r1, [r5, #" o "+4]\n ldr r4, [r5, #" o "+8]\n"                       \
  "ldr r2, [r5, #" o "+12]\n sub " all ", " all ", " high ", lsl #16\n add " all ", r2\n"          \
  "add " high ", r2\n" AOTC_AWAY1(all) AOTC_AWAY1(high)
#define AOTC_TAIL_AWAY                                                                             \
  AOTC_AWAY2("r6", "r7", "1")                                                                      \
  AOTC_AWAY2("r8", "r9", "17")                                                                     \
  AOTC_AWAY2("r10", "r11", "33") AOTC_AWAY2("r12", "lr", "49") "adds r5, #64\n"

// ---- loops ---------------------------------------------------------------------

/// Work of one block function, in the order it is pushed. Pointers are `behind`
/// as r4 and r5 are.
struct aotc_thumb2_block {
  void *y0, *y1; ///< aotc_thumb2_general: y0 receives 8 sums (int32_t) of one group
  const uint8_t *w_end;
  const uint8_t *x_end, *x;
  int32_t all, high; ///< first values
  const uint8_t *w;
};

/// All groups of channels of one pixel pair; the block stands at sp. Pixel 1 is
/// stored first: a single last pixel runs with y1 = y0.
#define AOTC_BEGIN                                                                                 \
  "@ aotc.stack=64\n push {r4-r11, lr}\n ldmia r0, {r1-r8}\n push {r1-r7}\n"                       \
  "mov r4, r5\n mov r5, r8\n"
#define AOTC_DOT                                                                                   \
  "ldr r6, [sp, #20]\n ldr r7, [sp, #24]\n mov r8, r6\n mov r9, r7\n mov r10, r6\n"                \
  "mov r11, r7\n mov r12, r6\n mov lr, r7\n .p2align 2\n2:\n" AOTC_TURN                            \
  "ldr r0, [sp, #12]\n cmp r4, r0\n bne 2b\n"
#define AOTC_END "add sp, #28\n pop {r4-r11, pc}\n"
#define AOTC_GROUPS(TAIL)                                                                          \
  AOTC_BEGIN                                                                                       \
  ".p2align 2\n1:\n" AOTC_DOT TAIL                                                                 \
  "ldr r0, [sp]\n ldr r1, [sp, #4]\n ldr r2, [sp, #8]\n ldr r4, [sp, #16]\n"                       \
  "strb r9, [r1, #1]\n strb r11, [r1, #2]\n strb lr, [r1, #3]\n strb r7, [r1], #4\n"               \
  "strb r8, [r0, #1]\n strb r10, [r0, #2]\n strb r12, [r0, #3]\n strb r6, [r0], #4\n"              \
  "str r0, [sp]\n str r1, [sp, #4]\n cmp r5, r2\n bne 1b\n" AOTC_END

template <int32_t Tail, int32_t Up>
  requires(Tail == aotc_thumb2_fit)
AOTC_NAKED void aotc_thumb2_groups(const aotc_thumb2_block *) {
  __asm__ volatile(AOTC_GROUPS(AOTC_TAIL_FIT) : : [up] "i"(Up) : "memory");
}
template <int32_t Tail, int32_t Up>
  requires(Tail == aotc_thumb2_away)
AOTC_NAKED void aotc_thumb2_groups(const aotc_thumb2_block *) {
  __asm__ volatile(AOTC_GROUPS(AOTC_TAIL_AWAY) : : : "memory");
}
template <int32_t Tail, int32_t Up>
  requires(Tail == aotc_thumb2_general)
AOTC_NAKED void aotc_thumb2_groups(const aotc_thumb2_block *) {
  __asm__ volatile(AOTC_BEGIN AOTC_DOT
                   "sub r6, r6, r7, lsl #16\n sub r8, r8, r9, lsl #16\n"
                   "sub r10, r10, r11, lsl #16\n sub r12, r12, lr, lsl #16\n ldr r0, [sp]\n"
                   "stmia r0, {r6, r7, r8, r9, r10, r11, r12, lr}\n" AOTC_END
                   :
                   :
                   : "memory");
}

/// Calls run<Tail, Up>() for the tail of a layer. Where the words are constants
/// one call remains.
template <typename Run>
static AOTC_INLINE void aotc_thumb2_with_tail(int32_t tail, int32_t up, Run run) {
  if (tail == aotc_thumb2_general)
    return run.template operator()<aotc_thumb2_general, 0>();
  if (tail == aotc_thumb2_away)
    return run.template operator()<aotc_thumb2_away, 0>();
  if (up == aotc_thumb2_shifts[0])
    return run.template operator()<aotc_thumb2_fit, aotc_thumb2_shifts[0]>();
  if (up == aotc_thumb2_shifts[1])
    return run.template operator()<aotc_thumb2_fit, aotc_thumb2_shifts[1]>();
  run.template operator()<aotc_thumb2_fit, aotc_thumb2_shifts[2]>();
}

/// Sums over the inputs of a pixel pair, as `all` and `high`.
struct aotc_thumb2_sums {
  uint32_t all, high;
};

/// What is the same for all pixels of a layer.
struct aotc_thumb2_channels {
  int32_t count; ///< output channels
  int32_t taps;  ///< a multiple of aotc_thumb2_turn
  const uint8_t *stream;
  const uint32_t *x; ///< the inputs of a pixel pair
  // aotc_thumb2_general
  const int32_t *bias;
  const aotc_multiplier *multipliers;
  int32_t per_channel, out_zero_point, act_min, act_max;
};

/// All channels of a pixel pair (y1 = y0: of one pixel).
template <int32_t Tail, int32_t Up>
static AOTC_INLINE void aotc_thumb2_pair(const aotc_thumb2_channels &c, aotc_thumb2_sums sums,
                                         int8_t *y0, int8_t *y1) {
  const int32_t tail_bytes = Tail == aotc_thumb2_fit ? 32 : Tail == aotc_thumb2_away ? 64 : 0;
  const int32_t group_bytes = 4 * c.taps + tail_bytes;
  const auto *x = reinterpret_cast<const uint8_t *>(c.x) - 4, *w = c.stream - 1;
  aotc_thumb2_block block = {
      y0, y1, w, x + 4 * c.taps, x, (int32_t)(-128u * sums.all), (int32_t)(-128u * sums.high), w};
  if constexpr (Tail != aotc_thumb2_general) {
    block.w_end += (c.count >> 2) * group_bytes;
    if (block.w_end != block.w)
      aotc_thumb2_groups<Tail, Up>(&block);
    if (const int32_t rest = c.count & 3) {
      int8_t last[8];
      block.y0 = last;
      block.y1 = last + 4;
      block.w = block.w_end;
      block.w_end += group_bytes;
      aotc_thumb2_groups<Tail, Up>(&block);
      const int32_t done = c.count - rest;
#pragma clang loop unroll(disable)
      for (int32_t i = 0; i < rest; ++i) {
        y1[done + i] = last[4 + i];
        y0[done + i] = last[i];
      }
    }
  } else {
    int32_t results[8]; // pixels 0, 1 of each channel
    block.y0 = results;
#pragma clang loop unroll(disable)
    for (int32_t channel = 0; channel < c.count; ++channel) {
      const int32_t i = channel & 3;
      if (!i) {
        aotc_thumb2_groups<Tail, Up>(&block);
        block.w += group_bytes;
      }
      const aotc_multiplier m = c.multipliers[c.per_channel ? channel : 0];
      const auto bias = (uint32_t)c.bias[channel];
      // The outputs might overlap anything, as far as the compiler knows.
      const int8_t a = aotc_requantize_s8((uint32_t)results[2 * i] + bias, m, 1, c.out_zero_point,
                                          c.act_min, c.act_max);
      const int8_t b = aotc_requantize_s8((uint32_t)results[2 * i + 1] + bias, m, 1,
                                          c.out_zero_point, c.act_min, c.act_max);
      y1[channel] = b;
      y0[channel] = a;
    }
  }
}
