// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dot product of the int8 convolutions for Armv8.1-M with Helium: two pixels x
// four channels, 16 cycles for 128 multiply-accumulates. Loads and products
// alternate: each occupies its unit for two cycles, different units overlap. In
// assembly, for VMLADAV takes even registers only, and all eight of them hold sums:
//
//   r0, r2, r4, r6     pixel 0, channels 0 ... 3
//   r8, r10, r12, lr   pixel 1 (so there is no low-overhead loop)
//
// r1 reads the stream, r3 and r5 the pixels; r7 is the output (VSTRB.32 wants a low
// register), r9 the block, r11 is free.
//
// "aotc.stack=N" tells the compiler's stack figure what the assembly pushes.
#pragma once

#include "targets/arm_m/mve/kernels/mve_stream.h"
#include "targets/generic/kernels/inline.h"

/// Work of one body: all channels of pairs of neighbouring pixels.
struct aotc_mve_pairs {
  const int8_t *x;         ///< [0]
  int32_t x_step;          ///< [4] bytes to the next pixel, less the 16 of a vector
  int8_t *y;               ///< [8] advances by four channels
  int32_t y_step;          ///< [12] bytes to the next pixel; 0, with x_step: one pixel, twice
  const int8_t *w, *w_end; ///< [16] the stream
  int32_t pairs;           ///< [24]
  int32_t turns;           ///< [28] of the loop over four steps
  aotc_mve_output output;  ///< [32]
  int32_t channels;        ///< [48] aotc_mve_general: left
  int32_t left;            ///< [52] pairs, set by the body
};

// A step begins with x of pixel 0 and the weights of channel 0 in q0 and q2, and
// loads those of the next one between its last products.
#define AOTC_STEP(OP, NEXT_W, NEXT_X)                                                              \
  OP " r0, q0, q2\n vldrb.u8 q1, [r5], #16\n" OP " r8, q1, q2\n vldrb.u8 q3, [r1, #-48]\n" OP      \
     " r2, q0, q3\n vldrb.u8 q2, [r1, #-32]\n" OP " r10, q1, q3\n vldrb.u8 q3, [r1, #-16]\n" OP    \
     " r4, q0, q2\n" OP " r12, q1, q2\n" NEXT_W OP " r6, q0, q3\n" NEXT_X OP " lr, q1, q3\n"
#define AOTC_LOAD_W "vldrb.u8 q2, [r1], #64\n"
#define AOTC_LOAD_X "vldrb.u8 q0, [r3], #16\n"
#define AOTC_FIRST AOTC_STEP("vmlav.s8", AOTC_LOAD_W, AOTC_LOAD_X)
#define AOTC_NEXT AOTC_STEP("vmlava.s8", AOTC_LOAD_W, AOTC_LOAD_X)
/// The last one begins the tail: bias to q2, channels 0 and 2 of pixel 0 to q0.
#define AOTC_LAST(OP) AOTC_STEP(OP, "vldrw.u32 q2, [r1], #16\n", "vmov q0[2], q0[0], r0, r4\n")

/// %c[n] steps between the first and the last.
#define AOTC_DOT_1 AOTC_LAST("vmlav.s8")
#define AOTC_DOT_N AOTC_FIRST ".rept %c[n]\n" AOTC_NEXT ".endr\n" AOTC_LAST("vmlava.s8")
#define AOTC_DOT_LOOP                                                                              \
  AOTC_FIRST ".rept %c[n]\n" AOTC_NEXT ".endr\n ldr r11, [r9, #28]\n"                              \
             "3:\n .rept 4\n" AOTC_NEXT ".endr\n subs r11, #1\n bne 3b\n" AOTC_LAST("vmlava.s8")

// ---- tails: q0, q1 the sums of pixels 0, 1; at the end r7 is the next pair's output,
// r3 its input, and the flags say whether there is one ------------------------------

/// acc * scale + bias to q2 and q3, the next vector of the tail to q0.
#define AOTC_BIASED                                                                                \
  "ldr r11, [r9, #32]\n vmov q0[3], q0[1], r2, r6\n vldrw.u32 q3, [r1, #-16]\n"                    \
  "vmov q1[2], q1[0], r8, r12\n ldr r0, [r9, #36]\n vmov q1[3], q1[1], r10, lr\n"                  \
  "vmla.i32 q2, q0, r11\n vldrw.u32 q0, [r1], #16\n vmla.i32 q3, q1, r11\n"
#define AOTC_TAIL_FIT                                                                              \
  AOTC_BIASED                                                                                      \
  "ldr r2, [r9, #12]\n vqrdmlash.s32 q2, q0, r0\n ldr r11, [r9, #52]\n"                            \
  "vqrdmlash.s32 q3, q0, r0\n vqrshrnb.s32 q2, q2, #16\n subs r11, #1\n"                           \
  "vqrshrnb.s32 q3, q3, #16\n add r4, r7, r2\n vqmovnb.s16 q2, q2\n str r11, [r9, #52]\n"          \
  "vqmovnb.s16 q3, q3\n vstrb.32 q2, [r7]\n mov r3, r5\n vstrb.32 q3, [r4]\n add r7, r4, r2\n"
#define AOTC_TAIL_AWAY                                                                             \
  AOTC_BIASED                                                                                      \
  "vqrdmulh.s32 q2, q2, q0\n vldrw.u32 q1, [r1], #16\n vqrdmulh.s32 q3, q3, q0\n"                  \
  "vshr.s32 q0, q2, #31\n vmla.i32 q2, q0, r11\n vshr.s32 q0, q3, #31\n ldr r2, [r9, #12]\n"       \
  "vmla.i32 q3, q0, r11\n vrshl.s32 q2, q2, q1\n ldr r11, [r9, #52]\n vrshl.s32 q3, q3, q1\n"      \
  "add r4, r7, r2\n vadd.i32 q2, q2, r0\n subs r11, #1\n vadd.i32 q3, q3, r0\n"                    \
  "str r11, [r9, #52]\n vqmovnb.s32 q2, q2\n vqmovnb.s32 q3, q3\n vqmovnb.s16 q2, q2\n"            \
  "mov r3, r5\n vqmovnb.s16 q3, q3\n vstrb.32 q2, [r7]\n vstrb.32 q3, [r4]\n add r7, r4, r2\n"
#define AOTC_TAIL_GENERAL                                                                          \
  AOTC_BIASED                                                                                      \
  "vqshl.s32 q2, q2, q0\n vqshl.s32 q3, q3, q0\n vldrw.u32 q0, [r1], #16\n"                        \
  "vqrdmulh.s32 q2, q2, q0\n vqrdmulh.s32 q3, q3, q0\n vldrw.u32 q1, [r1], #16\n"                  \
  "vand q0, q2, q1\n vshr.s32 q0, q0, #31\n vadd.i32 q2, q2, q0\n"                                 \
  "vand q0, q3, q1\n vshr.s32 q0, q0, #31\n vadd.i32 q3, q3, q0\n"                                 \
  "vrshl.s32 q2, q2, q1\n vrshl.s32 q3, q3, q1\n vadd.i32 q2, q2, r0\n vadd.i32 q3, q3, r0\n"      \
  "ldr r11, [r9, #40]\n vdup.32 q0, r11\n ldr r11, [r9, #44]\n vdup.32 q1, r11\n"                  \
  "vmax.s32 q2, q2, q0\n vmax.s32 q3, q3, q0\n vmin.s32 q2, q2, q1\n vmin.s32 q3, q3, q1\n"        \
  "ldr r11, [r9, #48]\n vctp.32 r11\n ldr r2, [r9, #12]\n ldr r11, [r9, #52]\n add r4, r7, r2\n"   \
  "subs r11, #1\n str r11, [r9, #52]\n vpstt\n vstrbt.32 q2, [r7]\n vstrbt.32 q3, [r4]\n"          \
  "mov r3, r5\n add r7, r4, r2\n"

// ---- the body --------------------------------------------------------------------

/// Four channels of all pairs, then the next four.
#define AOTC_PAIRS(DOT, TAIL)                                                                      \
  "@ aotc.stack=36\n push {r4-r11, lr}\n mov r9, r0\n ldr r1, [r9, #16]\n"                         \
  "1: str r1, [r9, #16]\n ldr r3, [r9]\n ldr r7, [r9, #8]\n ldr r11, [r9, #24]\n"                  \
  "adds r0, r7, #4\n str r11, [r9, #52]\n str r0, [r9, #8]\n"                                      \
  "2: ldr r1, [r9, #16]\n ldr r5, [r9, #4]\n" AOTC_LOAD_X AOTC_LOAD_W "add r5, r3\n" DOT TAIL      \
  "bne 2b\n ldr r0, [r9, #48]\n ldr r11, [r9, #20]\n subs r0, #4\n str r0, [r9, #48]\n"            \
  "cmp r1, r11\n bne 1b\n pop {r4-r11, pc}\n"

#define AOTC_MVE_BODY(TAIL_KIND, TAIL)                                                             \
  template <int32_t Steps, int32_t Tail>                                                           \
    requires(Tail == TAIL_KIND && Steps == 1)                                                      \
  AOTC_NAKED void aotc_mve_convolve(aotc_mve_pairs *) {                                            \
    __asm__ volatile(AOTC_PAIRS(AOTC_DOT_1, TAIL) : : : "memory");                                 \
  }                                                                                                \
  template <int32_t Steps, int32_t Tail>                                                           \
    requires(Tail == TAIL_KIND && Steps >= 2 && Steps <= 5)                                        \
  AOTC_NAKED void aotc_mve_convolve(aotc_mve_pairs *) {                                            \
    __asm__ volatile(AOTC_PAIRS(AOTC_DOT_N, TAIL) : : [n] "i"(Steps - 2) : "memory");              \
  }                                                                                                \
  template <int32_t Steps, int32_t Tail>                                                           \
    requires(Tail == TAIL_KIND && Steps >= 6)                                                      \
  AOTC_NAKED void aotc_mve_convolve(aotc_mve_pairs *) {                                            \
    __asm__ volatile(AOTC_PAIRS(AOTC_DOT_LOOP, TAIL) : : [n] "i"(Steps - 6) : "memory");           \
  }
AOTC_MVE_BODY(aotc_mve_fit, AOTC_TAIL_FIT)
AOTC_MVE_BODY(aotc_mve_away, AOTC_TAIL_AWAY)
AOTC_MVE_BODY(aotc_mve_general, AOTC_TAIL_GENERAL)

/// The body for a layer's shape words; where they are constants one call remains.
template <int32_t Tail> AOTC_INLINE void aotc_mve_convolve_steps(int32_t steps, aotc_mve_pairs *p) {
  switch (steps) {
  case 1:
    return aotc_mve_convolve<1, Tail>(p);
  case 2:
    return aotc_mve_convolve<2, Tail>(p);
  case 3:
    return aotc_mve_convolve<3, Tail>(p);
  case 4:
    return aotc_mve_convolve<4, Tail>(p);
  case 5:
    return aotc_mve_convolve<5, Tail>(p);
  case 6:
    return aotc_mve_convolve<6, Tail>(p);
  case 7:
    return aotc_mve_convolve<7, Tail>(p);
  case 8:
    return aotc_mve_convolve<8, Tail>(p);
  default:
    return aotc_mve_convolve<9, Tail>(p);
  }
}
