// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, 3x3, horizontal stride 1 or 2, Armv7E-M: four channels
// of P outputs at a time. Their columns go to scratch as pairs of neighbours per
// channel; SMLAD then takes two taps and SMLABT or SMLATB the third. Scratch:
// word [channel][row][pair]. Missing rows are filled with the zero point once per
// output row. Channels run first to last in both directions.
#include "targets/KernelABI.h"
#include "targets/arm_m/dsp/kernels/depthwise_conv_2d_dsp.h"
#include "targets/arm_m/dsp/kernels/dsp_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// In the order in which it stands on the stack. Bytes; [44] is a spare word.
struct block {
  uintptr_t row[3];     ///< [0] addresses, for they may lie before a row's start; 0: missing
  int8_t *y;            ///< [12]
  const int32_t *w_end; ///< [16]
  int32_t *s, *s_end;   ///< [20]
  int32_t channels;     ///< [28]
  int32_t zeros;        ///< [32] four zero points
  int32_t missing;      ///< [36] bit 0: the first column, bit 1: the last
  const int32_t *w;     ///< [40]
};

// ---- columns to scratch: r0 x, r1 channels, r2 scratch, r3 zeros, r10 missing ---

/// Pair i of the columns in r5 and `b`.
#define EMIT(i, b)                                                                                 \
  "pkhbt r7, r5, " b ", lsl #16\n pkhtb r6, " b ", r5, asr #16\n"                                  \
  "sxtb16 r8, r7\n sxtb16 r7, r7, ror #8\n sxtb16 r9, r6\n sxtb16 r6, r6, ror #8\n"                \
  "str r8, [r2, #(4*" i ")]\n str r7, [r2, #(4*" i "+12*%c[np])]\n"                                \
  "str r9, [r2, #(4*" i "+24*%c[np])]\n str r6, [r2, #(4*" i "+36*%c[np])]\n"
#define FIRST_PAIR                                                                                 \
  "mov r5, r3\n lsls r4, r10, #31\n it pl\n ldrpl r5, [r0]\n ldr r6, [r0, r1]\n"                   \
  "add r0, r0, r1, lsl #1\n" EMIT("0", "r6")
#define FULL_PAIR(i) "ldr r5, [r0]\n ldr r6, [r0, r1]\n add r0, r0, r1, lsl #1\n" EMIT(i, "r6")
#define LAST_PAIR(i) "ldr r5, [r0]\n mov r6, r3\n it cc\n ldrcc r6, [r0, r1]\n" EMIT(i, "r6")
#define LAST_ONE(i) "mov r5, r3\n it cc\n ldrcc r5, [r0]\n" EMIT(i, "r3")

// ---- sums r6 to r11; r4, r5 the taps of a row, lr scratch, r12 stream -----------

#define TAPS(r) "ldr r4, [r12, #(4+8*" #r ")]\n ldr r5, [r12, #(8+8*" #r ")]\n"
#define PAIR(reg, r, i) "ldr " reg ", [lr, #(4*%c[np]*" #r "+4*" #i ")]\n"
#define PAIRS3(r) PAIR("r0", r, 0) PAIR("r1", r, 1) PAIR("r2", r, 2)
#define PAIRS4(r) PAIRS3(r) PAIR("r3", r, 3)
#define PAIRS5(r) PAIRS4(r) PAIR("r11", r, 4)
#define ONE(op, sum, x, from) op " " sum ", " x ", r4, " from "\n"
#define TWO(op, sum, x) op " " sum ", " x ", r5, " sum "\n"
// Stride 1; f: what each sum starts from. The first output comes last, for its
// register holds the first value.
#define A3(f0, f1, f2)                                                                             \
  ONE("smlatb", "r7", "r0", f1)                                                                    \
  ONE("smlad", "r8", "r1", f2)                                                                     \
  ONE("smlad", "r6", "r0", f0)                                                                     \
  TWO("smlabt", "r6", "r1") TWO("smlad", "r7", "r1") TWO("smlabt", "r8", "r2")
#define A4(f0, f1, f2, f3) ONE("smlatb", "r9", "r1", f3) A3(f0, f1, f2) TWO("smlad", "r9", "r2")
#define A5(f0, f1, f2, f3, f4)                                                                     \
  ONE("smlad", "r10", "r2", f4) A4(f0, f1, f2, f3) TWO("smlabt", "r10", "r3")
#define A6(f0, f1, f2, f3, f4, f5)                                                                 \
  ONE("smlatb", "r11", "r2", f5) A5(f0, f1, f2, f3, f4) TWO("smlad", "r11", "r3")
// Stride 2.
#define B3(f0, f1, f2)                                                                             \
  ONE("smlad", "r8", "r2", f2)                                                                     \
  ONE("smlad", "r7", "r1", f1)                                                                     \
  ONE("smlad", "r6", "r0", f0)                                                                     \
  TWO("smlabt", "r6", "r1") TWO("smlabt", "r7", "r2") TWO("smlabt", "r8", "r3")
#define B4(f0, f1, f2, f3) ONE("smlad", "r9", "r3", f3) B3(f0, f1, f2) TWO("smlabt", "r9", "r11")
#define ROWS(PAIRS, SUMS, FIRST, NEXT)                                                             \
  TAPS(0)                                                                                          \
  "ldr r6, [r12]\n" PAIRS(0) SUMS FIRST TAPS(1) PAIRS(1) SUMS NEXT TAPS(2) PAIRS(2) SUMS NEXT
#define DOT_1_3 ROWS(PAIRS3, A3, ("r6", "r6", "r6"), ("r6", "r7", "r8"))
#define DOT_1_4 ROWS(PAIRS3, A4, ("r6", "r6", "r6", "r6"), ("r6", "r7", "r8", "r9"))
#define DOT_1_5 ROWS(PAIRS4, A5, ("r6", "r6", "r6", "r6", "r6"), ("r6", "r7", "r8", "r9", "r10"))
#define DOT_1_6                                                                                    \
  ROWS(PAIRS4, A6, ("r6", "r6", "r6", "r6", "r6", "r6"), ("r6", "r7", "r8", "r9", "r10", "r11"))
#define DOT_2_3 ROWS(PAIRS4, B3, ("r6", "r6", "r6"), ("r6", "r7", "r8"))
#define DOT_2_4 ROWS(PAIRS5, B4, ("r6", "r6", "r6", "r6"), ("r6", "r7", "r8", "r9"))

// ---- one channel's outputs: r2 y, r3 channels, r5 walks the pixels --------------

#define FIT(s) "smmla " s ", " s ", r0, r1\n ssat " s ", #8, " s ", asr #%c[up]\n"
#define AWAY(s)                                                                                    \
  "asr " s ", " s ", #7\n add lr, r1, " s ", asr #31\n smmlar " s ", " s ", r0, lr\n"              \
  "asr " s ", " s ", r4\n ssat " s ", #8, " s "\n"
#define OUT(ROUND, s) "add r5, r3\n" ROUND(s) "strb " s ", [r5]\n"
#define OUTS3(ROUND)                                                                               \
  ROUND("r6")                                                                                      \
  "add r5, r2, r3\n strb r6, [r2], #1\n" ROUND("r7") "strb r7, [r5]\n" OUT(ROUND, "r"              \
                                                                                  "8")
#define OUTS4(ROUND) OUTS3(ROUND) OUT(ROUND, "r9")
#define OUTS5(ROUND) OUTS4(ROUND) OUT(ROUND, "r10")
#define OUTS6(ROUND) OUTS5(ROUND) OUT(ROUND, "r11")
#define TAIL_FIT(OUTS)                                                                             \
  "ldr r0, [r12, #28]\n ldr r1, [r12, #32]\n ldr r2, [sp, #12]\n ldr r3, [sp, #28]\n"              \
  "ldr r4, [sp, #24]\n" OUTS(FIT) "str r2, [sp, #12]\n add r12, #36\n"
#define TAIL_AWAY(OUTS)                                                                            \
  "ldr r0, [r12, #28]\n ldr r1, [r12, #32]\n ldr r4, [r12, #36]\n ldr r2, [sp, #12]\n"             \
  "ldr r3, [sp, #28]\n str lr, [sp, #44]\n" OUTS(                                                  \
      AWAY) "ldr lr, [sp, #44]\n str r2, [sp, #12]\n ldr r4, [sp, #24]\n add r12, #40\n"

#define BODY(COLUMNS, DOT, TAIL)                                                                   \
  "@ aotc.stack=84\n push {r4-r11, lr}\n sub sp, #48\n mov r12, sp\n"                              \
  "ldmia r0!, {r1-r6}\n stmia r12!, {r1-r6}\n ldmia r0, {r1-r5}\n stmia r12, {r1-r5}\n"            \
  ".p2align 2\n1: ldr r2, [sp, #20]\n ldr r1, [sp, #28]\n ldr r3, [sp, #32]\n"                     \
  "ldr r10, [sp, #36]\n add lr, sp, #12\n mov r12, sp\n .p2align 2\n"                              \
  "2: ldr r0, [r12], #4\n cmp r0, #0\n beq 3f\n adds r4, r0, #4\n"                                 \
  "str r4, [r12, #-4]\n" FIRST_PAIR COLUMNS "3: add r2, #(4*%c[np])\n cmp r12, lr\n bne 2b\n"      \
  "ldr lr, [sp, #20]\n ldr r12, [sp, #40]\n .p2align 2\n4:\n" DOT TAIL                             \
  "add lr, #(12*%c[np])\n cmp lr, r4\n bne 4b\n"                                                   \
  "str r12, [sp, #40]\n ldr r0, [sp, #16]\n cmp r12, r0\n bne 1b\n"                                \
  "add sp, #48\n pop {r4-r11, pc}\n"

#define BLOCK(S, P, COLUMNS, DOT, OUTS, NP)                                                        \
  template <int32_t Stride, int32_t Pixels, int32_t Tail, int32_t Up>                              \
    requires(Stride == S && Pixels == P && Tail == aotc_dsp_fit)                                   \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(COLUMNS, DOT, TAIL_FIT(OUTS))                                            \
                     :                                                                             \
                     : [np] "i"(NP), [up] "i"(Up)                                                  \
                     : "memory");                                                                  \
  }                                                                                                \
  template <int32_t Stride, int32_t Pixels, int32_t Tail, int32_t Up>                              \
    requires(Stride == S && Pixels == P && Tail == aotc_dsp_away)                                  \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(COLUMNS, DOT, TAIL_AWAY(OUTS)) : : [np] "i"(NP) : "memory");             \
  }
BLOCK(1, 3, FULL_PAIR("1") LAST_ONE("2"), DOT_1_3, OUTS3, 3)
BLOCK(1, 4, FULL_PAIR("1") LAST_PAIR("2"), DOT_1_4, OUTS4, 3)
BLOCK(1, 5, FULL_PAIR("1") FULL_PAIR("2") LAST_ONE("3"), DOT_1_5, OUTS5, 4)
BLOCK(1, 6, FULL_PAIR("1") FULL_PAIR("2") LAST_PAIR("3"), DOT_1_6, OUTS6, 4)
BLOCK(2, 3, FULL_PAIR("1") FULL_PAIR("2") LAST_ONE("3"), DOT_2_3, OUTS3, 4)
BLOCK(2, 4, FULL_PAIR("1") FULL_PAIR("2") FULL_PAIR("3") LAST_ONE("4"), DOT_2_4, OUTS4, 5)

template <int32_t Tail, int32_t Up>
AOTC_INLINE void convolve_block(int32_t stride, int32_t pixels, const block *work) {
  if constexpr (Tail == aotc_dsp_general) {
    __builtin_trap(); // such layers are left to the portable kernel
  } else {
    if (stride == 2)
      return pixels == 3 ? convolve<2, 3, Tail, Up>(work) : convolve<2, 4, Tail, Up>(work);
    switch (pixels) {
    case 3:
      return convolve<1, 3, Tail, Up>(work);
    case 4:
      return convolve<1, 4, Tail, Up>(work);
    case 5:
      return convolve<1, 5, Tail, Up>(work);
    default:
      return convolve<1, 6, Tail, Up>(work);
    }
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8_3x3__dsp) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_3x3_dsp_shape, aotc_depthwise_conv_2d_3x3_dsp_layer);
  const auto *stream = static_cast<const int32_t *>(data[0]);
  auto *columns = static_cast<int32_t *>(scratch);
  const int32_t stride = shape.stride, pixels = shape.pixels;
  const int32_t pairs = aotc_depthwise_pairs(stride, pixels);
  const int32_t channels = layer.channels, out_w = layer.out_w;
  const int32_t channel_words = shape.tail == aotc_dsp_fit ? 9 : 10;
  block work = {{},
                nullptr,
                stream + channels * channel_words,
                columns,
                columns + 12 * pairs,
                channels,
                (int32_t)((uint32_t)(uint8_t)layer.in_zero_point * 0x01010101u),
                0,
                stream};
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
    const int32_t zero = aotc_even_bytes(work.zeros);
#pragma clang loop unroll(disable)
    for (int32_t r = 0; r < 3; ++r)
      if (!window[r]) {
        int32_t *s = columns + r * pairs;
#pragma clang loop unroll(disable)
        for (int32_t c = 0; c < 4; ++c, s += 3 * pairs)
#pragma clang loop unroll(disable)
          for (int32_t k = 0; k < pairs; ++k)
            s[k] = zero;
      }
    // Blocks from the front, or from the back; the last one moves back into the
    // row and computes some outputs again: the stated
    // distances keep their inputs.
#pragma clang loop unroll(disable)
    for (int32_t done = 0; done < out_w; done += pixels) {
      const int32_t most = out_w - pixels;
      int32_t first = descending ? most - done : done;
      first = first < 0 ? 0 : first > most ? most : first;
      const int32_t column = first * stride - layer.pad_left;
#pragma clang loop unroll(full)
      for (int32_t r = 0; r < 3; ++r) {
        const auto x = reinterpret_cast<uintptr_t>(window[r]);
        work.row[r] = x ? x + (uint32_t)(column * channels) : 0;
      }
      work.missing = (column < 0) | (column + (pixels - 1) * stride + 2 >= layer.in_w ? 2 : 0);
      work.y = y + first * channels;
      aotc_dsp_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
        convolve_block<Tail, Up>(stride, pixels, &work);
      });
    }
  }
}
