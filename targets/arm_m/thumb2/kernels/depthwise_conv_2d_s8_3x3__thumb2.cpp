// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, 3x3, horizontal stride 1 or 2, Armv7-M: one channel of
// P outputs at a time, an LDRSB per column and row, an MLA per tap. Weights are 256
// times as large, as the tails want sums. The first and the last column of a row
// have pointers of their own, so that a missing one is read from a pixel of zero
// points; a missing row is that pixel in all columns, with a step of 0. Channels
// run first to last in both directions.
#include "targets/KernelABI.h"
#include "targets/arm_m/thumb2/kernels/depthwise_conv_2d_thumb2.h"
#include "targets/arm_m/thumb2/kernels/thumb2_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// Columns of one input row, at channel 0.
struct columns {
  const int8_t *first, *second, *last;
  int32_t step; ///< from column to column, second to last but one
};
/// In the order in which it stands on the stack. Bytes.
struct block {
  columns row[3];   ///< [0], 16 each
  int8_t *y;        ///< [48]
  int32_t channels; ///< [52]
  const int16_t *w; ///< [56]
};

// r0 to r3 inputs and pointers, r4 to r6 weights of a row, r7 channel, r8 step, r9
// the channel's constants; sums: r10 to lr, P = 5: r9, and r9's word is [56].
#define IN_R9(r)                                                                                   \
  "ldrsh r4, [r9, #(6*" #r ")]\n ldrsh r5, [r9, #(6*" #r "+2)]\n ldrsh r6, [r9, #(6*" #r "+4)]\n"
#define IN_SP(r)                                                                                   \
  "ldr r6, [sp, #56]\n ldrsh r4, [r6, #(6*" #r ")]\n ldrsh r5, [r6, #(6*" #r "+2)]\n"              \
  "ldrsh r6, [r6, #(6*" #r "+4)]\n"
#define MUL0(sum, x) "mul " sum ", " x ", r4\n"
#define MLA0(sum, x) "mla " sum ", " x ", r4, " sum "\n"
#define MLA1(sum, x) "mla " sum ", " x ", r5, " sum "\n"
#define MLA2(sum, x) "mla " sum ", " x ", r6, " sum "\n"

/// Column 0 to r0, weights; r3 to column 1. One run of loads.
#define ROW_BEGIN(r, WEIGHTS)                                                                      \
  "ldr r3, [sp, #(16*" #r "+4)]\n ldr r8, [sp, #(16*" #r "+12)]\n ldr r0, [sp, #(16*" #r           \
  ")]\n" WEIGHTS(r) "ldrsb r0, [r0, r7]\n add r3, r7\n"
/// Columns 1 to 3.
#define NEXT3 "ldrsb r0, [r3]\n ldrsb r1, [r3, r8]\n ldrsb r2, [r3, r8, lsl #1]\n"
#define LAST(r, reg) "ldr " reg ", [sp, #(16*" #r "+8)]\n"

#define ROW_1_3(r, FIRST, WEIGHTS)                                                                 \
  ROW_BEGIN(r, WEIGHTS)                                                                            \
  FIRST("r10", "r0")                                                                               \
  LAST(r, "r2")                                                                                    \
  "ldrsb r0, [r3]\n ldrsb r1, [r3, r8]\n ldrsb r3, [r3, r8, lsl #1]\n"                             \
  "ldrsb r2, [r2, r7]\n" FIRST("r11", "r0") MLA1("r10", "r0") FIRST("r12", "r1") MLA1("r11", "r1") \
      MLA2("r10", "r1") MLA1("r12", "r3") MLA2("r11", "r3") MLA2("r12", "r2")
#define ROW_1_4(r, FIRST, WEIGHTS)                                                                 \
  ROW_BEGIN(r, WEIGHTS)                                                                            \
  FIRST("r10", "r0")                                                                               \
  NEXT3 "add r3, r8\n" FIRST("r11", "r0") MLA1("r10", "r0") FIRST("r12", "r1") MLA1("r11", "r1")   \
      MLA2("r10", "r1") FIRST("lr", "r2") MLA1("r12", "r2") MLA2("r11", "r2")                      \
          LAST(r, "r0") "ldrsb r1, [r3, r8, lsl #1]\n ldrsb r0, [r0, r7]\n" MLA1("lr", "r1")       \
              MLA2("r12", "r1") MLA2("lr", "r0")
#define ROW_1_5(r, FIRST, WEIGHTS)                                                                 \
  ROW_BEGIN(r, WEIGHTS)                                                                            \
  FIRST("r10", "r0")                                                                               \
  NEXT3 "add r3, r3, r8, lsl #1\n" FIRST("r11", "r0") MLA1("r10", "r0") FIRST("r12", "r1")         \
      MLA1("r11", "r1") MLA2("r10", "r1") FIRST("lr", "r2") MLA1("r12", "r2") MLA2("r11", "r2")    \
          LAST(r, "r0") "ldrsb r1, [r3, r8]\n ldrsb r2, [r3, r8, lsl #1]\n ldrsb r0, [r0, "        \
                        "r7]\n" FIRST("r9", "r1") MLA1("lr", "r1") MLA2("r12", "r1")               \
                            MLA1("r9", "r2") MLA2("lr", "r2") MLA2("r9", "r0")
#define ROW_2_3(r, FIRST, WEIGHTS)                                                                 \
  ROW_BEGIN(r, WEIGHTS)                                                                            \
  FIRST("r10", "r0")                                                                               \
  NEXT3 "add r3, r3, r8, lsl #1\n" MLA1("r10", "r0") FIRST("r11", "r1") MLA2("r10", "r1")          \
      MLA1("r11", "r2") LAST(r, "r0") "ldrsb r1, [r3, r8]\n ldrsb r2, [r3, r8, lsl #1]\n ldrsb "   \
                                      "r0, [r0, r7]\n" FIRST("r12", "r1") MLA2("r11", "r1")        \
                                          MLA1("r12", "r2") MLA2("r12", "r0")
#define ROW_2_4(r, FIRST, WEIGHTS)                                                                 \
  ROW_BEGIN(r, WEIGHTS)                                                                            \
  FIRST("r10", "r0")                                                                               \
  NEXT3 "add r3, r3, r8, lsl #1\n" MLA1("r10", "r0") FIRST("r11", "r1")                            \
      MLA2("r10", "r1") "add r3, r8\n" MLA1("r11", "r2") NEXT3 "add r3, r8\n" FIRST("r12", "r0")   \
          MLA2("r11", "r0") MLA1("r12", "r1") FIRST("lr", "r2") MLA2("r12", "r2")                  \
              LAST(r, "r0") "ldrsb r1, [r3, r8, lsl #1]\n ldrsb r0, [r0, r7]\n" MLA1("lr", "r1")   \
                  MLA2("lr", "r0")
#define ROWS(ROW, WEIGHTS) ROW(0, MUL0, WEIGHTS) ROW(1, MLA0, WEIGHTS) ROW(2, MLA0, WEIGHTS)

// ---- one channel's outputs: r2 walks the pixels, r6 points to the constants ------------

#define FIT(s)                                                                                     \
  "smull r3, " s ", " s ", r0\n add " s ", r1\n ssat " s ", #8, " s ", asr #%c[up]\n"              \
  "strb " s ", [r2]\n add r2, r8\n"
#define AWAY(s)                                                                                    \
  "asr " s ", " s ", #7\n add " s ", r5\n add r6, r1, " s ", asr #31\n"                            \
  "smull r3, " s ", " s ", r0\n lsls r3, r3, #1\n adc " s ", " s ", r6\n"                          \
  "asr " s ", " s ", r4\n ssat " s ", #8, " s "\n strb " s ", [r2]\n add r2, r8\n"
#define OUTS3(OUT) OUT("r10") OUT("r11") OUT("r12")
#define OUTS4(OUT) OUTS3(OUT) OUT("lr")
#define OUTS5(OUT) OUTS4(OUT) OUT("r9")
#define CONSTANTS_R9 "mov r6, r9\n"
#define CONSTANTS_SP "ldr r6, [sp, #56]\n"
#define ADVANCE_R9(bytes) "add r9, #" #bytes "\n"
#define ADVANCE_SP(bytes) "ldr r6, [sp, #56]\n add r6, #" #bytes "\n str r6, [sp, #56]\n"
#define TAIL_FIT(OUTS, AT)                                                                         \
  CONSTANTS_##AT "ldr r0, [r6, #20]\n ldr r1, [r6, #24]\n ldr r2, [sp, #48]\n"                     \
                 "ldr r8, [sp, #52]\n add r2, r7\n" OUTS(FIT) ADVANCE_##AT(28)
#define TAIL_AWAY(OUTS, AT)                                                                        \
  CONSTANTS_##AT "ldr r0, [r6, #20]\n ldr r1, [r6, #24]\n ldr r4, [r6, #28]\n ldr r5, [r6, #32]\n" \
                 "ldr r2, [sp, #48]\n ldr r8, [sp, #52]\n add r2, r7\n" OUTS(AWAY)                 \
                     ADVANCE_##AT(36)

#define BODY(ROW, OUTS, TAIL, AT)                                                                  \
  "@ aotc.stack=96\n push {r4-r11, lr}\n sub sp, #60\n mov r12, sp\n"                              \
  "ldmia r0!, {r1-r8}\n stmia r12!, {r1-r8}\n ldmia r0, {r1-r7}\n stmia r12, {r1-r7}\n"            \
  "mov r9, r7\n movs r7, #0\n .p2align 2\n1:\n" ROWS(ROW, IN_##AT)                                 \
      TAIL(OUTS, AT) "adds r7, #1\n cmp r7, r8\n bne 1b\n add sp, #60\n pop {r4-r11, pc}\n"

#define BLOCK(S, P, ROW, OUTS, AT)                                                                 \
  template <int32_t Stride, int32_t Pixels, int32_t Tail, int32_t Up>                              \
    requires(Stride == S && Pixels == P && Tail == aotc_thumb2_fit)                                \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(ROW, OUTS, TAIL_FIT, AT) : : [up] "i"(Up) : "memory");                   \
  }                                                                                                \
  template <int32_t Stride, int32_t Pixels, int32_t Tail, int32_t Up>                              \
    requires(Stride == S && Pixels == P && Tail == aotc_thumb2_away)                               \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(ROW, OUTS, TAIL_AWAY, AT) : : : "memory");                               \
  }
BLOCK(1, 3, ROW_1_3, OUTS3, R9)
BLOCK(1, 4, ROW_1_4, OUTS4, R9)
BLOCK(1, 5, ROW_1_5, OUTS5, SP)
BLOCK(2, 3, ROW_2_3, OUTS3, R9)
BLOCK(2, 4, ROW_2_4, OUTS4, R9)

template <int32_t Tail, int32_t Up>
AOTC_INLINE void convolve_block(int32_t stride, int32_t pixels, const block *work) {
  if constexpr (Tail == aotc_thumb2_general) {
    __builtin_trap(); // such layers are left to the portable kernel
  } else {
    if (stride == 2)
      return pixels == 3 ? convolve<2, 3, Tail, Up>(work) : convolve<2, 4, Tail, Up>(work);
    switch (pixels) {
    case 3:
      return convolve<1, 3, Tail, Up>(work);
    case 4:
      return convolve<1, 4, Tail, Up>(work);
    default:
      return convolve<1, 5, Tail, Up>(work);
    }
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8_3x3__thumb2) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_3x3_thumb2_shape,
                   aotc_depthwise_conv_2d_3x3_thumb2_layer);
  const auto *zeros = static_cast<const int8_t *>(data[1]);
  const int32_t stride = shape.stride, pixels = shape.pixels;
  const int32_t channels = layer.channels, out_w = layer.out_w;
  const int32_t extent = ((pixels - 1) * stride + 2); // first column to last
  block work = {{}, nullptr, channels, static_cast<const int16_t *>(data[0])};
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
    // Blocks from the front, or from the back; the last one moves back into the
    // row and computes some outputs again: the stated distances keep their inputs.
#pragma clang loop unroll(disable)
    for (int32_t done = 0; done < out_w; done += pixels) {
      const int32_t most = out_w - pixels;
      int32_t first = descending ? most - done : done;
      first = first < 0 ? 0 : first > most ? most : first;
      const int32_t column = first * stride - layer.pad_left;
#pragma clang loop unroll(disable)
      for (int32_t r = 0; r < 3; ++r) {
        columns &c = work.row[r];
        c = {zeros, zeros, zeros, 0};
        if (const auto *x = static_cast<const int8_t *>(window[r])) {
          x += column * channels;
          c.second = x + channels;
          c.step = channels;
          if (column >= 0)
            c.first = x;
          if (column + extent < layer.in_w)
            c.last = x + extent * channels;
        }
      }
      work.y = y + first * channels;
      aotc_thumb2_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
        convolve_block<Tail, Up>(stride, pixels, &work);
      });
    }
  }
}
