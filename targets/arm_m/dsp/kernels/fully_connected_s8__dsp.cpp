// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, Armv7E-M: eight channels of one row at a time, 39
// cycles for 32 multiply-accumulates. Inputs are widened in the loop,
// from a copy of the row if they are no multiple of 8. Each weight is used once, so
// loading it is what counts.
#include "targets/KernelABI.h"
#include "targets/arm_m/dsp/kernels/dsp_dot.h"
#include "targets/arm_m/dsp/kernels/fully_connected_dsp.h"
#include "targets/arm_m/kernels/fully_connected_eights.h"

namespace {

/// In the order it is pushed.
struct block {
  const int8_t *x, *x_end;
  const int32_t *w, *w_end;
  void *y; ///< aotc_dsp_general: receives 8 sums (int32_t) of one group
};

// r4 x, r5 weights + 64, r0 to r3 what was read; sums r6 to lr = 256*U + V and V of four
// pairs.
#define PAIR(u, v, w)                                                                              \
  "smlad " u ", " w ", r3, " u "\n sxtb16 " w ", " w "\n smlad " v ", " w ", r3, " v "\n"
/// Four inputs.
#define STEP                                                                                       \
  "ldr r0, [r4, #(4*hs)]\n ldr r1, [r5, #(32*hs-64)]\n ldr r2, [r5, #(32*hs-60)]\n"                \
  "sxtb16 r3, r0\n" PAIR("r6", "r7", "r1") PAIR(                                                   \
      "r8", "r9",                                                                                  \
      "r2") "ldr r1, [r5, #(32*hs-56)]\n ldr r2, [r5, #(32*hs-52)]\n" PAIR("r10", "r11", "r1")     \
      PAIR("r12", "lr", "r2") "sxtb16 r3, r0, ror #8\n"                                            \
                              "ldr r0, [r5, #(32*hs-48)]\n ldr r1, [r5, #(32*hs-44)]\n ldr r2, "   \
                              "[r5, #(32*hs-40)]\n" PAIR("r6", "r7", "r0") PAIR("r8", "r9", "r1")  \
                                  PAIR("r10", "r11", "r2") "ldr r0, [r5, #(32*hs-36)]\n" PAIR(     \
                                      "r12", "lr", "r0") ".set hs, hs+1\n"
#define LOOP                                                                                       \
  ".p2align 2\n2: .set hs, 0\n .rept %c[n]\n" STEP ".endr\n"                                       \
  "ldr r0, [sp, #4]\n add r4, #(4*%c[n])\n add r5, #(32*%c[n])\n cmp r4, r0\n bne 2b\n"

#define FIT2(u, v, o, i)                                                                           \
  "ldr r0, [r5, #" #o "]\n ldr r1, [r5, #" #o "+4]\n ldr r2, [r5, #" #o "+8]\n"                    \
  "ldr r3, [r5, #" #o "+12]\n sub " u ", " u ", " v "\n lsl " v ", " v ", #8\n"                    \
  "smmla " u ", " u ", r0, r2\n smmla " v ", " v ", r1, r3\n"                                      \
  "ssat " u ", #8, " u ", asr #%c[up]\n ssat " v ", #8, " v ", asr #%c[up]\n"                      \
  "strb " u ", [r4, #" #i "]\n strb " v ", [r4, #" #i "+1]\n"
#define TAIL_FIT                                                                                   \
  FIT2("r6", "r7", 0, 0)                                                                           \
  FIT2("r8", "r9", 16, 2) FIT2("r10", "r11", 32, 4) FIT2("r12", "lr", 48, 6) "add r5, #64\n"

#define AWAY1(a, twice, o, i)                                                                      \
  "ldr r0, [r5, #" #o "]\n ldr r1, [r5, #" #o "+4]\n ldr r2, [r5, #" #o "+8]\n" twice              \
  "add r3, r1, " a ", asr #31\n smmlar " a ", " a ", r0, r3\n asr " a ", " a ", r2\n"              \
  "ssat " a ", #8, " a "\n strb " a ", [r4, #" #i "]\n"
#define AWAY2(u, v, o, i)                                                                          \
  "sub " u ", " u ", " v "\n" AWAY1(u, "asr " u ", " u ", #7\n", o, i)                             \
      AWAY1(v, "lsl " v ", " v ", #1\n", o + 12, i + 1)
#define TAIL_AWAY                                                                                  \
  AWAY2("r6", "r7", 0, 0)                                                                          \
  AWAY2("r8", "r9", 24, 2) AWAY2("r10", "r11", 48, 4) AWAY2("r12", "lr", 72, 6) "add r5, #96\n"

/// Stack: [0] x [4] end of x [8] w [12] end of the stream [16] y.
#define BEGIN                                                                                      \
  "@ aotc.stack=56\n push {r4-r11, lr}\n ldmia r0, {r1, r2, r3, r4, r5}\n"                         \
  "push {r1, r2, r3, r4, r5}\n mov r5, r3\n .p2align 2\n"
#define END "add sp, #20\n pop {r4-r11, pc}\n"
#define GROUPS(TAIL)                                                                               \
  BEGIN                                                                                            \
  "1: ldr r6, [r5]\n ldr r7, [r5, #4]\n ldr r8, [r5, #8]\n ldr r9, [r5, #12]\n"                    \
  "ldr r10, [r5, #16]\n ldr r11, [r5, #20]\n ldr r12, [r5, #24]\n ldr lr, [r5, #28]\n"             \
  "ldr r4, [sp]\n add r5, #96\n" LOOP "ldr r4, [sp, #16]\n sub r5, #64\n" TAIL                     \
  "ldr r0, [sp, #12]\n adds r4, #8\n str r4, [sp, #16]\n cmp r5, r0\n bne 1b\n" END

template <int32_t Tail, int32_t Up, int32_t N>
  requires(Tail == aotc_dsp_fit)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(GROUPS(TAIL_FIT) : : [n] "i"(N), [up] "i"(Up) : "memory");
}
template <int32_t Tail, int32_t Up, int32_t N>
  requires(Tail == aotc_dsp_away)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(GROUPS(TAIL_AWAY) : : [n] "i"(N) : "memory");
}
template <int32_t Tail, int32_t Up, int32_t N>
  requires(Tail == aotc_dsp_general)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(BEGIN
                   "movs r6, #0\n movs r7, #0\n mov r8, r6\n mov r9, r6\n mov r10, r6\n"
                   "mov r11, r6\n mov r12, r6\n mov lr, r6\n ldr r4, [sp]\n add r5, #96\n" LOOP
                   "sub r6, r6, r7\n sub r8, r8, r9\n sub r10, r10, r11\n sub r12, r12, lr\n"
                   "asr r6, r6, #8\n asr r8, r8, #8\n asr r10, r10, #8\n asr r12, r12, #8\n"
                   "ldr r0, [sp, #16]\n stmia r0, {r6, r7, r8, r9, r10, r11, r12, lr}\n" END
                   :
                   : [n] "i"(N)
                   : "memory");
}

/// One row.
template <int32_t Tail, typename Run>
AOTC_INLINE void row(const aotc_fully_connected_dsp_layer &layer, int32_t in_c,
                     const void *const *data, const int8_t *x, int8_t *y, Run run) {
  const auto *stream = static_cast<const int32_t *>(data[0]);
  constexpr int32_t tail_words = Tail == aotc_dsp_fit ? 16 : Tail == aotc_dsp_away ? 24 : 0;
  const int32_t group_words = 8 + 2 * in_c + tail_words;
  block work = {x, x + in_c, stream, stream, y};
  if constexpr (Tail != aotc_dsp_general)
    finish_in_eights(work, group_words, layer.out_c, y, run);
  else
    requantize_in_eights(work, group_words, layer, data, y, run);
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__dsp) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_dsp_shape, aotc_fully_connected_dsp_layer);
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < layer.rows; ++i) {
    const int32_t r = aotc_directed(i, layer.rows, descending);
    const auto *x = static_cast<const int8_t *>(in[0]) + r * layer.in_c;
    auto *y = static_cast<int8_t *>(out[0]) + r * layer.out_c;
    int32_t in_c = layer.in_c;
    x = whole_turns<8>(x, in_c, shape.copied, scratch);
    aotc_dsp_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
      row<Tail>(layer, in_c, data, x, y, [&](const block *work) {
        if (shape.turn == 16)
          groups<Tail, Up, 4>(work);
        else
          groups<Tail, Up, 2>(work);
      });
    });
  }
}
