// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dot product of the int8 convolutions for Armv7E-M: two pixels x four
// channels, 15 cycles for 16 multiply-accumulates (a run of four LDR takes 5
// cycles, then 8 SMLAD and 2 SXTB16). Weights: dsp_stream.h. Written in
// assembly, for it needs all 14 registers: r4 and r5 read the widened inputs and
// the weights, r0 to r3 hold what was read, and the sums are
//
//   r6, r7    U of pixels 0, 1      r10, r11  S       first pair: channels u, v
//   r8, r9    V                     r12, lr   T       second: s, t
//
// (U, S: 256*U + V until the tail subtracts.) What else a loop needs waits on
// the stack. r5 is 8 bytes ahead in the loop, so that both pointers can move by
// the last load of its run, which is free.
//
// "aotc.stack=N" tells the compiler's stack figure what the assembly pushes.
#pragma once

#include "targets/arm_m/dsp/kernels/dsp_stream.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/inline.h"

/// Two taps: a, b are registers with the inputs of pixels 0 and 1.
#define AOTC_MAC8(a, b)                                                                            \
  "smlad r6, r2, " a ", r6\n smlad r7, r2, " b ", r7\n sxtb16 r2, r2\n"                            \
  "smlad r8, r2, " a ", r8\n smlad r9, r2, " b ", r9\n"                                            \
  "smlad r10, r3, " a ", r10\n smlad r11, r3, " b ", r11\n sxtb16 r3, r3\n"                        \
  "smlad r12, r3, " a ", r12\n smlad lr, r3, " b ", lr\n"
#define AOTC_X(r, offset) "ldr " r ", [r4, #(" offset ")]\n"
#define AOTC_W(offset) "ldr r2, [r5, #(" offset "-8)]\n ldr r3, [r5, #(" offset "-4)]\n"

/// 2*H taps; inputs per half-step: pixel 0, pixel 1.
#define AOTC_TURN                                                                                  \
  AOTC_X("r1", "4")                                                                                \
  AOTC_W("0")                                                                                      \
  "ldr r0, [r4], #(8*%c[h])\n" AOTC_MAC8("r0", "r1") AOTC_X("r0", "8-8*%c[h]")                     \
      AOTC_X("r1", "12-8*%c[h]") "ldr r3, [r5, #4]\n ldr r2, [r5], #(8*%c[h])\n" AOTC_MAC8(        \
          "r0", "r1") ".set hs, 2\n .rept %c[h]-2\n" AOTC_X("r0", "8*hs-8*%c[h]")                  \
          AOTC_X("r1", "8*hs+4-8*%c[h]") AOTC_W("8*hs-8*%c[h]")                                    \
              AOTC_MAC8("r0", "r1") ".set hs, hs+1\n .endr\n"

// ---- tails; r5 = end of the weights + 8 ----------------------------------------

#define AOTC_FIT4(u0, u1, v0, v1)                                                                  \
  "sub " u0 ", " u0 ", " v0 "\n sub " u1 ", " u1 ", " v1 "\n lsl " v0 ", " v0 ", #8\n lsl " v1     \
  ", " v1 ", #8\n smmla " u0 ", " u0 ", r0, r2\n smmla " u1 ", " u1 ", r0, r2\n smmla " v0 ", " v0 \
  ", r1, r3\n smmla " v1 ", " v1 ", r1, r3\n ssat " u0 ", #8, " u0 ", asr #%c[up]\n ssat " u1      \
  ", #8, " u1 ", asr #%c[up]\n ssat " v0 ", #8, " v0 ", asr #%c[up]\n ssat " v1 ", #8, " v1        \
  ", asr #%c[up]\n"
#define AOTC_TAIL_FIT                                                                              \
  "ldr r0, [r5, #-8]\n ldr r1, [r5, #-4]\n ldr r2, [r5]\n ldr r3, [r5, #4]\n" AOTC_FIT4(           \
      "r6", "r7", "r8", "r9") "ldr r0, [r5, #8]\n ldr r1, [r5, #12]\n ldr r2, [r5, #16]\n"         \
                              "ldr r3, [r5, #20]\n adds r5, #24\n" AOTC_FIT4("r10", "r11", "r12",  \
                                                                             "lr")

/// One channel; `twice` makes twice the accumulator of both sums.
#define AOTC_AWAY2(a, b, twice, o)                                                                 \
  "ldr r0, [r5, #" #o "]\n ldr r1, [r5, #" #o "+4]\n ldr r2, [r5, #" #o "+8]\n" twice              \
  "add r3, r1, " a ", asr #31\n smmlar " a ", " a ", r0, r3\n"                                     \
  "add r3, r1, " b ", asr #31\n smmlar " b ", " b ", r0, r3\n"                                     \
  "asr " a ", " a ", r2\n asr " b ", " b ", r2\n ssat " a ", #8, " a "\n ssat " b ", #8, " b "\n"
#define AOTC_TAIL_AWAY                                                                             \
  "sub r6, r6, r8\n sub r7, r7, r9\n" AOTC_AWAY2("r6", "r7", "asr r6, r6, #7\n asr r7, r7, #7\n",  \
                                                 -8)                                               \
      AOTC_AWAY2("r8", "r9", "lsl r8, r8, #1\n lsl r9, r9, #1\n",                                  \
                 4) "sub r10, r10, r12\n sub r11, r11, lr\n" AOTC_AWAY2("r10", "r11",              \
                                                                        "asr r10, r10, #7\n asr "  \
                                                                        "r11, r11, #7\n",          \
                                                                        16)                        \
          AOTC_AWAY2("r12", "lr", "lsl r12, r12, #1\n lsl lr, lr, #1\n", 28) "adds r5, #40\n"

// ---- loops ---------------------------------------------------------------------

/// From here on the stack has: [0] y0 [4] y1 [8] end of the stream [12] end of x
/// [16] x. All groups of channels of one pixel pair. Pixel 1 is stored first: a
/// single last pixel runs with y1 = y0.
#define AOTC_CHANNELS(TURN, TAIL)                                                                  \
  ".p2align 2\n1: ldr r8, [r5, #4]\n ldr r10, [r5, #8]\n ldr r12, [r5, #12]\n"                     \
  "ldr r6, [r5], #24\n mov r7, r6\n mov r9, r8\n mov r11, r10\n mov lr, r12\n"                     \
  ".p2align 2\n2:\n" TURN "ldr r0, [sp, #12]\n cmp r4, r0\n bne 2b\n" TAIL                         \
  "ldr r0, [sp]\n ldr r1, [sp, #4]\n ldr r2, [sp, #8]\n ldr r4, [sp, #16]\n"                       \
  "strb r9, [r1, #1]\n strb r11, [r1, #2]\n strb lr, [r1, #3]\n strb r7, [r1], #4\n"               \
  "strb r8, [r0, #1]\n strb r10, [r0, #2]\n strb r12, [r0, #3]\n strb r6, [r0], #4\n"              \
  "str r0, [sp]\n str r1, [sp, #4]\n cmp r5, r2\n bne 1b\n"

/// Work of one block function, in the order it is pushed.
struct aotc_dsp_block {
  void *y0, *y1; ///< aotc_dsp_general: y0 receives 8 sums (int32_t) of one group
  const int32_t *w_end, *x_end, *x, *w;
};

#define AOTC_BLOCK_BEGIN                                                                           \
  "@ aotc.stack=56\n push {r4-r11, lr}\n ldmia r0, {r1, r2, r3, r4, r5, r6}\n"                     \
  "push {r1, r2, r3, r4, r5}\n mov r4, r5\n mov r5, r6\n"
#define AOTC_BLOCK_END "add sp, #20\n pop {r4-r11, pc}\n"

/// A block function `name`<Tail, Up, H> around a TURN; H may be unused.
#define AOTC_BLOCK(name, TURN)                                                                     \
  template <int32_t Tail, int32_t Up, int32_t H>                                                   \
    requires(Tail == aotc_dsp_fit)                                                                 \
  AOTC_NAKED void name(const aotc_dsp_block *) {                                                   \
    __asm__ volatile(AOTC_BLOCK_BEGIN AOTC_CHANNELS(TURN, AOTC_TAIL_FIT) AOTC_BLOCK_END            \
                     :                                                                             \
                     : [h] "i"(H), [up] "i"(Up)                                                    \
                     : "memory");                                                                  \
  }                                                                                                \
  template <int32_t Tail, int32_t Up, int32_t H>                                                   \
    requires(Tail == aotc_dsp_away)                                                                \
  AOTC_NAKED void name(const aotc_dsp_block *) {                                                   \
    __asm__ volatile(AOTC_BLOCK_BEGIN AOTC_CHANNELS(TURN, AOTC_TAIL_AWAY) AOTC_BLOCK_END           \
                     :                                                                             \
                     : [h] "i"(H)                                                                  \
                     : "memory");                                                                  \
  }                                                                                                \
  template <int32_t Tail, int32_t Up, int32_t H>                                                   \
    requires(Tail == aotc_dsp_general)                                                             \
  AOTC_NAKED void name(const aotc_dsp_block *) {                                                   \
    __asm__ volatile(                                                                              \
        AOTC_BLOCK_BEGIN                                                                           \
        "movs r6, #0\n movs r7, #0\n mov r8, r6\n mov r9, r6\n mov r10, r6\n mov r11, r6\n"        \
        "mov r12, r6\n mov lr, r6\n adds r5, #24\n .p2align 2\n2:\n" TURN                          \
        "ldr r0, [sp, #12]\n cmp r4, r0\n bne 2b\n"                                                \
        "sub r6, r6, r8\n sub r7, r7, r9\n sub r10, r10, r12\n sub r11, r11, lr\n"                 \
        "asr r6, r6, #8\n asr r7, r7, #8\n asr r10, r10, #8\n asr r11, r11, #8\n"                  \
        "ldr r0, [sp]\n stmia r0, {r6, r7, r8, r9, r10, r11, r12, lr}\n" AOTC_BLOCK_END            \
        :                                                                                          \
        : [h] "i"(H)                                                                               \
        : "memory");                                                                               \
  }

/// Calls run<Tail, Up>() for the tail of a layer. Where the words are constants
/// one call remains.
template <typename Run>
static AOTC_INLINE void aotc_dsp_with_tail(int32_t tail, int32_t up, Run run) {
  if (tail == aotc_dsp_general)
    return run.template operator()<aotc_dsp_general, 0>();
  if (tail == aotc_dsp_away)
    return run.template operator()<aotc_dsp_away, 0>();
  if (up == aotc_dsp_shifts[0])
    return run.template operator()<aotc_dsp_fit, aotc_dsp_shifts[0]>();
  if (up == aotc_dsp_shifts[1])
    return run.template operator()<aotc_dsp_fit, aotc_dsp_shifts[1]>();
  run.template operator()<aotc_dsp_fit, aotc_dsp_shifts[2]>();
}

/// Words of the stream for four channels, of which `weights` are weights.
static AOTC_INLINE int32_t aotc_dsp_group_words(int32_t weights, int32_t tail) {
  return 4 + weights + (tail == aotc_dsp_fit ? 8 : tail == aotc_dsp_away ? 12 : 0);
}

/// What is the same for all pixels of a layer.
struct aotc_dsp_channels {
  int32_t count, group_words; ///< output channels; words of the stream for four
  const int32_t *stream, *x, *x_end;
  // aotc_dsp_general
  const int32_t *bias;
  const aotc_multiplier *multipliers;
  int32_t per_channel, out_zero_point, act_min, act_max;
};

/// All channels of a pixel pair (y1 = y0: of one pixel), whose inputs stand
/// widened in x; run(block) is a block function.
template <int32_t Tail, typename Run>
static AOTC_INLINE void aotc_dsp_pair(const aotc_dsp_channels &c, int8_t *y0, int8_t *y1, Run run) {
  aotc_dsp_block block = {y0, y1, c.stream, c.x_end, c.x, c.stream};
  if constexpr (Tail != aotc_dsp_general) {
    block.w_end += (c.count >> 2) * c.group_words;
    if (block.w_end != block.w)
      run(&block);
    if (const int32_t rest = c.count & 3) {
      int8_t last[8];
      block.y0 = last;
      block.y1 = last + 4;
      block.w = block.w_end;
      block.w_end += c.group_words;
      run(&block);
      const int32_t done = c.count - rest;
#pragma clang loop unroll(disable)
      for (int32_t i = 0; i < rest; ++i) {
        y1[done + i] = last[4 + i];
        y0[done + i] = last[i];
      }
    }
  } else {
    int32_t sums[8]; // u0 u1 v0 v1 s0 s1 t0 t1
    block.y0 = sums;
#pragma clang loop unroll(disable)
    for (int32_t channel = 0; channel < c.count; ++channel) {
      const int32_t i = channel & 3;
      if (!i) {
        run(&block);
        block.w += c.group_words;
      }
      const aotc_multiplier m = c.multipliers[c.per_channel ? channel : 0];
      const auto bias = (uint32_t)c.bias[channel];
      // The outputs might overlap anything, as far as the compiler knows.
      const int8_t a = aotc_requantize_s8((uint32_t)sums[2 * i] + bias, m, 1, c.out_zero_point,
                                          c.act_min, c.act_max);
      const int8_t b = aotc_requantize_s8((uint32_t)sums[2 * i + 1] + bias, m, 1, c.out_zero_point,
                                          c.act_min, c.act_max);
      y1[channel] = b;
      y0[channel] = a;
    }
  }
}

/// Tensors may start at any byte: LDR does, LDM and LDRD would fault.
static AOTC_INLINE int32_t aotc_load_word(const int8_t *p) {
  int32_t word;
  __builtin_memcpy(&word, p, 4);
  return word;
}

/// Bytes 0 and 2, and bytes 1 and 3, as halfwords; the rotation is part of
/// SXTB16.
static AOTC_INLINE int32_t aotc_even_bytes(int32_t word) { return __builtin_arm_sxtb16(word); }
static AOTC_INLINE int32_t aotc_odd_bytes(int32_t word) {
  return __builtin_arm_sxtb16((int32_t)((uint32_t)word >> 8 | (uint32_t)word << 24));
}
