// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dot product of the int8 convolutions for Armv6-M: four pixels x one
// channel, two pixels to a word (thumb1_stream.h): 41 cycles for 16
// multiply-accumulates. Written in assembly, for it needs all registers: r6 and
// r7 read inputs and weights, r0 to r5 hold what was read, and
//
//   r8, r9    `all` and `high` of pixels 0 and 1      r12  0x8000
//   r10, r11  of pixels 2 and 3                       lr   end of the inputs
//
// What else a loop needs waits on the stack. Functions are shared by all layers.
//
// "aotc.stack=N" tells the compiler's stack figure what the assembly pushes.
#pragma once

#include "targets/arm_m/thumb1/kernels/thumb1_stream.h"
#include "targets/generic/kernels/inline.h"

#define AOTC_PUSH                                                                                  \
  "push {r4-r7, lr}\n mov r4, r8\n mov r5, r9\n mov r6, r10\n mov r7, r11\n push {r4-r7}\n"
#define AOTC_POP                                                                                   \
  "pop {r4-r7}\n mov r8, r4\n mov r9, r5\n mov r10, r6\n mov r11, r7\n pop {r4-r7, pc}\n"

// ---- inputs to scratch -----------------------------------------------------------

#define AOTC_WIDEN(a, b, o)                                                                        \
  "ldrsb r6, [" a ", r4]\n ldrsb r7, [" b ", r4]\n lsls r7, r7, #16\n adds r6, r6, r7\n"           \
  "str r6, [r5, #(" #o ")]\n"

/// `count` bytes at each of p0 ... p3 as words of pixels 0, 1 and of 2, 3 by turns.
AOTC_NAKED inline void aotc_thumb1_widen_four(const int8_t *const *p, int32_t *s, int32_t count) {
#define STEP(o) AOTC_WIDEN("r0", "r1", o) AOTC_WIDEN("r2", "r3", o + 4)
  __asm__ volatile("@ aotc.stack=20\n push {r4-r7, lr}\n mov r12, r2\n mov r5, r1\n negs r4, r2\n"
                   "ldmia r0, {r0, r1, r2, r3}\n"
                   "add r0, r12\n add r1, r12\n add r2, r12\n add r3, r12\n"
                   "1: lsls r6, r4, #30\n beq 2f\n" STEP(
                       0) "adds r5, #8\n adds r4, #1\n b 1b\n"
                          "2: cmp r4, #0\n beq 4f\n"
                          "3:\n" STEP(0) "adds r4, #1\n" STEP(8) "adds r4, #1\n" STEP(
                              16) "adds r4, #1\n" STEP(24) "adds r5, #32\n adds r4, #1\n bne 3b\n"
                                                           "4: pop {r4-r7, pc}\n" ::
                                                               : "memory");
#undef STEP
}

/// `count` bytes at each of p0, p1 as words.
AOTC_NAKED inline void aotc_thumb1_widen_two(const int8_t *const *p, int32_t *s, int32_t count) {
#define STEP(o) AOTC_WIDEN("r0", "r1", o)
  __asm__ volatile("@ aotc.stack=20\n push {r4-r7, lr}\n mov r5, r1\n negs r4, r2\n"
                   "ldmia r0, {r0, r1}\n adds r0, r0, r2\n adds r1, r1, r2\n"
                   "1: lsls r6, r4, #30\n beq 2f\n" STEP(
                       0) "adds r5, #4\n adds r4, #1\n b 1b\n"
                          "2: cmp r4, #0\n beq 4f\n"
                          "3:\n" STEP(0) "adds r4, #1\n" STEP(4) "adds r4, #1\n" STEP(
                              8) "adds r4, #1\n" STEP(12) "adds r5, #16\n adds r4, #1\n bne 3b\n"
                                                          "4: pop {r4-r7, pc}\n" ::
                                                              : "memory");
#undef STEP
}

// ---- products: a word of four weights --------------------------------------------

#define AOTC_WEIGHT_0 "sxtb r4, r5\n"
#define AOTC_WEIGHT_1 "lsls r4, r5, #16\n asrs r4, r4, #24\n"
#define AOTC_WEIGHT_2 "lsls r4, r5, #8\n asrs r4, r4, #24\n"
#define AOTC_WEIGHT_3 "asrs r4, r5, #24\n"
#define AOTC_MUL(x) "muls " x ", r4, " x "\n"
#define AOTC_ADD(x, y) "adds " x ", " x ", " y "\n"
#define AOTC_SPLIT(sum, all, high)                                                                 \
  "add " sum ", r12\n add " all ", " sum "\n asrs " sum ", " sum ", #16\n add " high ", " sum "\n"

#define AOTC_SPLIT_FOUR AOTC_SPLIT("r0", "r8", "r9") AOTC_SPLIT("r1", "r10", "r11")
#define AOTC_FIRST_TWO                                                                             \
  "ldmia r7!, {r5}\n ldmia r6!, {r0, r1, r2, r3}\n" AOTC_WEIGHT_0 AOTC_MUL("r0") AOTC_MUL("r1")    \
      AOTC_WEIGHT_1 AOTC_MUL("r2") AOTC_MUL("r3") AOTC_ADD("r0", "r2") AOTC_ADD("r1", "r3")
/// Σ |w| of each four is at most 255.
#define AOTC_FOURS_OF_FOUR                                                                         \
  AOTC_FIRST_TWO                                                                                   \
  "ldmia r6!, {r2, r3}\n" AOTC_WEIGHT_2 AOTC_MUL("r2") AOTC_MUL("r3") AOTC_ADD("r0", "r2")         \
      AOTC_ADD("r1", "r3") "ldmia r6!, {r2, r3}\n" AOTC_WEIGHT_3 AOTC_MUL("r2") AOTC_MUL("r3")     \
          AOTC_ADD("r0", "r2") AOTC_ADD("r1", "r3") AOTC_SPLIT_FOUR
#define AOTC_PAIRS_OF_FOUR                                                                         \
  AOTC_FIRST_TWO AOTC_SPLIT_FOUR "ldmia r6!, {r0, r1, r2, r3}\n" AOTC_WEIGHT_2 AOTC_MUL("r0")      \
      AOTC_MUL("r1") AOTC_WEIGHT_3 AOTC_MUL("r2") AOTC_MUL("r3") AOTC_ADD("r0", "r2")              \
          AOTC_ADD("r1", "r3") AOTC_SPLIT_FOUR

#define AOTC_SPLIT_TWO AOTC_SPLIT("r0", "r8", "r9")
#define AOTC_FOURS_OF_TWO                                                                          \
  "ldmia r7!, {r5}\n ldmia r6!, {r0, r1, r2, r3}\n" AOTC_WEIGHT_0 AOTC_MUL("r0")                   \
      AOTC_WEIGHT_1 AOTC_MUL("r1") AOTC_ADD("r0", "r1") AOTC_WEIGHT_2 AOTC_MUL("r2")               \
          AOTC_ADD("r0", "r2") AOTC_WEIGHT_3 AOTC_MUL("r3") AOTC_ADD("r0", "r3") AOTC_SPLIT_TWO
#define AOTC_PAIRS_OF_TWO                                                                          \
  "ldmia r7!, {r5}\n ldmia r6!, {r0, r1, r2, r3}\n" AOTC_WEIGHT_0 AOTC_MUL("r0")                   \
      AOTC_WEIGHT_1 AOTC_MUL("r1") AOTC_ADD("r0", "r1")                                            \
          AOTC_SPLIT_TWO AOTC_WEIGHT_2 AOTC_MUL("r2") AOTC_WEIGHT_3 AOTC_MUL("r3")                 \
              AOTC_ADD("r2", "r3") AOTC_SPLIT("r2", "r8", "r9")

// ---- tails: r2 mantissa_low, r3 mantissa_high, r4 round, r5 top -------------------

/// r0: a positive accumulator, else SLOW. Labels are made of `n`.
#define AOTC_VALUE_FIT(n)                                                                          \
  "cmp r0, r5\n bhi 7" #n "f\n 5" #n ": movs r1, r0\n muls r1, r2, r1\n lsrs r1, r1, #12\n"        \
  "muls r0, r3, r0\n adds r0, r0, r1\n adds r0, r0, r4\n 6" #n ": lsrs r0, r0, #23\n"
#define AOTC_SLOW_FIT(n)                                                                           \
  "7" #n ": cmp r0, #0\n bge 8" #n "f\n mov r0, r4\n b 6" #n "b\n"                                 \
  "8" #n ": mov r0, r5\n b 5" #n "b\n"
#define AOTC_LOAD_FIT "ldmia r7!, {r2, r3, r4, r5}\n"
#define AOTC_RESTORE_FIT ""

/// lr: the first accumulator that is not negative, r12: what to add below it.
#define AOTC_VALUE_SPLIT(n)                                                                        \
  "cmp r0, r5\n bhi 7" #n "f\n 5" #n ": movs r1, r0\n muls r1, r2, r1\n lsrs r1, r1, #12\n"        \
  "adds r1, r1, r4\n cmp r0, lr\n bhs 6" #n "f\n add r1, r12\n"                                    \
  "6" #n ": muls r0, r3, r0\n adds r0, r0, r1\n lsrs r0, r0, #23\n"
#define AOTC_SLOW_SPLIT(n)                                                                         \
  "7" #n ": cmp r0, #0\n bge 8" #n "f\n movs r0, #0\n b 5" #n "b\n"                                \
  "8" #n ": mov r0, r5\n b 5" #n "b\n"
#define AOTC_LOAD_SPLIT AOTC_LOAD_FIT "ldmia r7!, {r0, r1}\n mov lr, r0\n mov r12, r1\n"
#define AOTC_RESTORE_SPLIT "ldr r0, [sp, #20]\n mov lr, r0\n" AOTC_HALF

/// The same of any accumulator in C++; p: the words of the tail.
static AOTC_INLINE int8_t aotc_thumb1_output(int32_t acc, const int32_t *p, int32_t tail) {
  const auto top = (uint32_t)p[3];
  const uint32_t x = acc < 0 ? 0 : (uint32_t)acc > top ? top : (uint32_t)acc;
  uint32_t sum = (x * (uint32_t)p[0] >> aotc_thumb1_low_bits) + (uint32_t)p[2];
  if (tail == aotc_thumb1_split && x < (uint32_t)p[4])
    sum += (uint32_t)p[5];
  return (int8_t)((sum + x * (uint32_t)p[1]) >> aotc_thumb1_shift);
}

#define AOTC_HALF "movs r0, #128\n lsls r0, r0, #8\n mov r12, r0\n"
#define AOTC_HIGH(high) "mov r0, " high "\n"
#define AOTC_LOW(all, high)                                                                        \
  "mov r1, " high "\n mov r0, " all "\n lsls r1, r1, #16\n subs r0, r0, r1\n"
#define AOTC_STORE(o) "ldr r1, [sp, #" #o "]\n strb r0, [r6, r1]\n"

/// Pixel 0 is stored last: others that are not there share its place.
#define AOTC_TAIL_FOUR(KIND)                                                                       \
  AOTC_LOAD_##KIND "ldr r6, [sp]\n" AOTC_HIGH("r11") AOTC_VALUE_##KIND(3) AOTC_STORE(12)           \
      AOTC_LOW("r10", "r11") AOTC_VALUE_##KIND(2) AOTC_STORE(8) AOTC_HIGH("r9")                    \
          AOTC_VALUE_##KIND(1) AOTC_STORE(4) AOTC_LOW("r8", "r9")                                  \
              AOTC_VALUE_##KIND(0) "strb r0, [r6]\n" AOTC_RESTORE_##KIND
#define AOTC_SLOW_FOUR(KIND)                                                                       \
  AOTC_SLOW_##KIND(3) AOTC_SLOW_##KIND(2) AOTC_SLOW_##KIND(1) AOTC_SLOW_##KIND(0)
#define AOTC_TAIL_TWO(KIND)                                                                        \
  AOTC_LOAD_##KIND "ldr r6, [sp]\n" AOTC_HIGH("r9") AOTC_VALUE_##KIND(1) AOTC_STORE(4)             \
      AOTC_LOW("r8", "r9") AOTC_VALUE_##KIND(0) "strb r0, [r6]\n" AOTC_RESTORE_##KIND
#define AOTC_SLOW_TWO(KIND) AOTC_SLOW_##KIND(1) AOTC_SLOW_##KIND(0)

// ---- channels --------------------------------------------------------------------

/// Work of one call, in the order in which it stands on the stack. Bytes.
struct aotc_thumb1_block {
  int8_t *y;                     ///< [0] pixel 0
  int32_t second, third, fourth; ///< [4] places of the other pixels from there
  const int32_t *x, *x_end;      ///< [16] widened inputs
  const int32_t *w, *w_end;      ///< [24] the stream
};

#define AOTC_START_FOUR "mov r8, r1\n mov r10, r1\n asrs r0, r0, #1\n mov r9, r0\n mov r11, r0\n"
#define AOTC_START_TWO "mov r8, r1\n asrs r0, r0, #1\n mov r9, r0\n"
/// All channels of a block.
#define AOTC_CHANNELS(N, KIND)                                                                     \
  "@ aotc.stack=68\n" AOTC_PUSH                                                                    \
  "ldmia r0, {r0-r7}\n push {r0-r7}\n mov lr, r5\n mov r7, r6\n" AOTC_HALF                         \
  "1: ldmia r7!, {r0, r1}\n ldr r6, [sp, #16]\n" AOTC_START_##N                                    \
      "bcs 3f\n"                                                                                   \
      "2:\n .rept %c[turn]\n" AOTC_FOURS_OF_##N ".endr\n cmp r6, lr\n bne 2b\n b 4f\n"             \
                                                "3:\n .rept %c[turn]\n" AOTC_PAIRS_OF_##N          \
      ".endr\n cmp r6, lr\n bne 3b\n"                                                              \
      "4:\n" AOTC_TAIL_##N(KIND) "ldr r0, [sp, #28]\n adds r6, #1\n str r6, [sp]\n"                \
                                 "cmp r7, r0\n beq 9f\n b 1b\n" AOTC_SLOW_##N(                     \
                                     KIND) "9: add sp, #32\n" AOTC_POP

/// Turn: words of weights per turn of the loop, 1 or 2.
#define AOTC_BLOCK(name, N, kind, KIND)                                                            \
  template <int32_t Tail, int32_t Turn>                                                            \
    requires(Tail == kind)                                                                         \
  AOTC_NAKED void name(const aotc_thumb1_block *) {                                                \
    __asm__ volatile(AOTC_CHANNELS(N, KIND) : : [turn] "i"(Turn) : "memory");                      \
  }
AOTC_BLOCK(aotc_thumb1_four, FOUR, aotc_thumb1_fit, FIT)
AOTC_BLOCK(aotc_thumb1_four, FOUR, aotc_thumb1_split, SPLIT)
AOTC_BLOCK(aotc_thumb1_two, TWO, aotc_thumb1_fit, FIT)
AOTC_BLOCK(aotc_thumb1_two, TWO, aotc_thumb1_split, SPLIT)

/// What is the same for all blocks of a layer.
struct aotc_thumb1_layer {
  const int32_t *stream, *stream_end;
  int32_t *x; ///< scratch
  int32_t taps, out_c;
  int32_t tail, turn; ///< constants
};

/// Computes `pixels` (1 to 4) neighbours from y on, whose inputs stand in scratch:
/// up to two of them in the order of aotc_thumb1_widen_two.
static AOTC_INLINE void aotc_thumb1_pixels(const aotc_thumb1_layer &layer, int8_t *y,
                                           int32_t pixels) {
  const int32_t c = layer.out_c;
  const aotc_thumb1_block block = {y,
                                   pixels > 1 ? c : 0,
                                   pixels > 2 ? 2 * c : 0,
                                   pixels > 3 ? 3 * c : 0,
                                   layer.x,
                                   layer.x + (pixels > 2 ? 2 : 1) * layer.taps,
                                   layer.stream,
                                   layer.stream_end};
  auto run = [&]<int32_t Tail, int32_t Turn>() {
    pixels > 2 ? aotc_thumb1_four<Tail, Turn>(&block) : aotc_thumb1_two<Tail, Turn>(&block);
  };
  if (layer.tail == aotc_thumb1_fit)
    layer.turn == 2 ? run.template operator()<aotc_thumb1_fit, 2>()
                    : run.template operator()<aotc_thumb1_fit, 1>();
  else
    layer.turn == 2 ? run.template operator()<aotc_thumb1_split, 2>()
                    : run.template operator()<aotc_thumb1_split, 1>();
}

/// Widens `count` bytes of each of `pixels` neighbours into scratch from tap `at` on.
static AOTC_INLINE void aotc_thumb1_widen(const int8_t *const *p, const aotc_thumb1_layer &layer,
                                          int32_t pixels, int32_t at, int32_t count) {
  if (pixels > 2)
    aotc_thumb1_widen_four(p, layer.x + 2 * at, count);
  else
    aotc_thumb1_widen_two(p, layer.x + at, count);
}
