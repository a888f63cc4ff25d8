// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, 3x3, horizontal stride 1 or 2, Armv6-M: one channel of
// P outputs at a time, straight from the rows: each column is loaded once and
// multiplied by up to three weights, 11 cycles. Sums stand in r8 to lr. Missing
// rows are read from a pixel of zero points, whose step is 0; missing columns are
// left out, for what they add is known. Channels run first to last in both
// directions.
#include "targets/KernelABI.h"
#include "targets/arm_m/thumb1/kernels/depthwise_conv_2d_thumb1.h"
#include "targets/arm_m/thumb1/kernels/thumb1_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// In the order in which it stands on the stack. Bytes.
struct block {
  int32_t missing;          ///< [0] bit 0: the first column, bit 1: the last
  int32_t channel;          ///< [4]
  const int32_t *w, *w_end; ///< [8]
  int8_t *y;                ///< [16]
  int32_t y_step;           ///< [20] from pixel to pixel
  struct {
    uintptr_t first; ///< the first column of the window, an address: it may be missing
    int32_t step;    ///< from column to column
  } row[3];          ///< [24]
};

// r0 a column, r1 a product, r2 to r4 weights, r5 the row, r6 + r5 the column, r7
// its step. The carry, which no instruction here but LSLS changes, keeps whether
// the last column is missing.
#define LOAD "ldrsb r0, [r5, r6]\n add r6, r7\n"
#define MUL(w, sum) "movs r1, r0\n muls r1, " w ", r1\n add " sum ", r1\n"
#define LAST(w, sum) "muls r0, " w ", r0\n add " sum ", r0\n"
#define ONE(w, a) LOAD LAST(w, a)
#define TWO(v, a, w, b) LOAD MUL(v, a) LAST(w, b)
#define THREE(a, b, c) LOAD MUL("r2", a) MUL("r3", b) LAST("r4", c)
#define A0 "r8"
#define A1 "r9"
#define A2 "r10"
#define A3 "r11"
#define A4 "r12"
#define A5 "lr"

#define FIRST_COLUMN "bmi 1f\n ldrsb r0, [r5, r6]\n" LAST("r2", A0) "1: add r6, r7\n"
#define LAST_COLUMN(a) "bcs 1f\n" ONE("r4", a) "1:\n"
#define COLUMNS_1_1 FIRST_COLUMN ONE("r3", A0) LAST_COLUMN(A0)
#define BEGIN_1 FIRST_COLUMN TWO("r2", A1, "r3", A0)
#define END_1(a, b) TWO("r3", b, "r4", a) LAST_COLUMN(b)
#define COLUMNS_1_2 BEGIN_1 END_1(A0, A1)
#define COLUMNS_1_3 BEGIN_1 THREE(A2, A1, A0) END_1(A1, A2)
#define COLUMNS_1_4 BEGIN_1 THREE(A2, A1, A0) THREE(A3, A2, A1) END_1(A2, A3)
#define COLUMNS_1_5 BEGIN_1 THREE(A2, A1, A0) THREE(A3, A2, A1) THREE(A4, A3, A2) END_1(A3, A4)
#define COLUMNS_1_6                                                                                \
  BEGIN_1 THREE(A2, A1, A0) THREE(A3, A2, A1) THREE(A4, A3, A2) THREE(A5, A4, A3) END_1(A4, A5)
#define BEGIN_2 FIRST_COLUMN ONE("r3", A0)
#define NEXT_2(a, b) TWO("r2", b, "r4", a) ONE("r3", b)
#define COLUMNS_2_1 BEGIN_2 LAST_COLUMN(A0)
#define COLUMNS_2_2 BEGIN_2 NEXT_2(A0, A1) LAST_COLUMN(A1)
#define COLUMNS_2_3 BEGIN_2 NEXT_2(A0, A1) NEXT_2(A1, A2) LAST_COLUMN(A2)
#define COLUMNS_2_4 BEGIN_2 NEXT_2(A0, A1) NEXT_2(A1, A2) NEXT_2(A2, A3) LAST_COLUMN(A3)

#define ROW(COLUMNS, r)                                                                            \
  "ldr r4, [sp, #8]\n ldr r4, [r4, #(4+4*" #r ")]\n ldr r5, [sp, #(24+8*" #r ")]\n"                \
  "ldr r7, [sp, #(28+8*" #r ")]\n ldr r6, [sp, #4]\n ldr r0, [sp]\n sxtb r2, r4\n"                 \
  "lsls r3, r4, #16\n asrs r3, r3, #24\n asrs r4, r4, #24\n lsls r0, r0, #31\n" COLUMNS

#define START_1 "mov " A0 ", r0\n"
#define START_2 START_1 "mov " A1 ", r0\n"
#define START_3 START_2 "mov " A2 ", r0\n"
#define START_4 START_3 "mov " A3 ", r0\n"
#define START_5 START_4 "mov " A4 ", r0\n"
#define START_6 START_5 "mov " A5 ", r0\n"

// aotc_thumb1_split needs r12 and lr: no more than four sums.
#define LOAD_FIT "ldmia r6!, {r2, r3, r4, r5}\n"
#define LOAD_SPLIT LOAD_FIT "ldmia r6!, {r0, r1}\n mov lr, r0\n mov r12, r1\n"
/// The first sum's register holds the step once it is read.
#define OUT_1(KIND)                                                                                \
  "mov r0, " A0 "\n ldr r1, [sp, #20]\n mov " A0 ", r1\n" AOTC_VALUE_##KIND(0) "strb r0, [r6, "    \
                                                                               "r7]\n"
#define OUT(KIND, n, a)                                                                            \
  "add r7, " A0 "\n mov r0, " a "\n" AOTC_VALUE_##KIND(n) "strb r0, [r6, r7]\n"
#define OUT_2(KIND) OUT_1(KIND) OUT(KIND, 1, A1)
#define OUT_3(KIND) OUT_2(KIND) OUT(KIND, 2, A2)
#define OUT_4(KIND) OUT_3(KIND) OUT(KIND, 3, A3)
#define OUT_5(KIND) OUT_4(KIND) OUT(KIND, 4, A4)
#define OUT_6(KIND) OUT_5(KIND) OUT(KIND, 5, A5)
#define SLOW_1(KIND) AOTC_SLOW_##KIND(0)
#define SLOW_2(KIND) SLOW_1(KIND) AOTC_SLOW_##KIND(1)
#define SLOW_3(KIND) SLOW_2(KIND) AOTC_SLOW_##KIND(2)
#define SLOW_4(KIND) SLOW_3(KIND) AOTC_SLOW_##KIND(3)
#define SLOW_5(KIND) SLOW_4(KIND) AOTC_SLOW_##KIND(4)
#define SLOW_6(KIND) SLOW_5(KIND) AOTC_SLOW_##KIND(5)

#define BODY(COLUMNS, P, last, KIND)                                                               \
  "@ aotc.stack=84\n" AOTC_PUSH                                                                    \
  "sub sp, #48\n mov r1, sp\n ldmia r0!, {r2-r7}\n stmia r1!, {r2-r7}\n ldmia r0!, {r2-r7}\n"      \
  "stmia r1!, {r2-r7}\n"                                                                           \
  "3: ldr r4, [sp, #8]\n ldr r0, [r4]\n" START_##P                                                 \
      "ldr r1, [sp]\n lsls r1, r1, #31\n bpl 1f\n"                                                 \
      "ldr r1, [r4, #16]\n add " A0 ", r1\n 1: bcc 1f\n ldr r1, [r4, #20]\n add " last             \
      ", r1\n 1:\n" ROW(COLUMNS, 0) ROW(COLUMNS, 1)                                                \
          ROW(COLUMNS, 2) "ldr r6, [sp, #8]\n adds r6, #24\n" LOAD_##KIND                          \
      "str r6, [sp, #8]\n ldr r6, [sp, #16]\n"                                                     \
      "ldr r7, [sp, #4]\n" OUT_##P(KIND) "ldr r7, [sp, #4]\n adds r7, #1\n str r7, [sp, #4]\n "    \
                                         "ldr r6, [sp, #8]\n ldr r1, [sp, #12]\n"                  \
                                         "cmp r6, r1\n beq 9f\n b 3b\n" SLOW_##P(                  \
                                             KIND) "9: add sp, #48\n" AOTC_POP

#define BLOCK(S, P, last, kind, KIND)                                                              \
  template <int32_t Stride, int32_t Pixels, int32_t Tail>                                          \
    requires(Stride == S && Pixels == P && Tail == kind)                                           \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(COLUMNS_##S##_##P, P, last, KIND) : : : "memory");                       \
  }
#define BLOCKS(S, P, last)                                                                         \
  BLOCK(S, P, last, aotc_thumb1_fit, FIT) BLOCK(S, P, last, aotc_thumb1_split, SPLIT)
BLOCKS(1, 1, A0)
BLOCKS(1, 2, A1)
BLOCKS(1, 3, A2)
BLOCKS(1, 4, A3)
BLOCK(1, 5, A4, aotc_thumb1_fit, FIT)
BLOCK(1, 6, A5, aotc_thumb1_fit, FIT)
BLOCKS(2, 1, A0)
BLOCKS(2, 2, A1)
BLOCKS(2, 3, A2)
BLOCKS(2, 4, A3)

template <int32_t Stride, int32_t Tail>
AOTC_INLINE void convolve_block(int32_t pixels, const block *work) {
  if constexpr (Stride == 1 && Tail == aotc_thumb1_fit) {
    if (pixels == 6)
      return convolve<Stride, 6, Tail>(work);
    if (pixels == 5)
      return convolve<Stride, 5, Tail>(work);
  }
  switch (pixels) {
  case 4:
    return convolve<Stride, 4, Tail>(work);
  case 3:
    return convolve<Stride, 3, Tail>(work);
  case 2:
    return convolve<Stride, 2, Tail>(work);
  case 1:
    return convolve<Stride, 1, Tail>(work);
  default:
    __builtin_trap(); // the host's side chooses no such block
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8_3x3__thumb1) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_3x3_thumb1_shape,
                   aotc_depthwise_conv_2d_3x3_thumb1_layer);
  const auto *stream = static_cast<const int32_t *>(data[0]);
  const auto *zeros = static_cast<const int8_t *>(data[1]);
  const int32_t stride = shape.stride, pixels = shape.pixels;
  const int32_t channels = layer.channels, out_w = layer.out_w;
  block work;
  work.channel = 0;
  work.w = stream;
  work.w_end = stream + channels * aotc_depthwise_3x3_thumb1_words(shape.tail);
  work.y_step = channels;
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
        const auto x = reinterpret_cast<uintptr_t>(window[r]);
        work.row[r].first =
            x ? x + (uint32_t)(column * channels) : reinterpret_cast<uintptr_t>(zeros);
        work.row[r].step = x ? channels : 0;
      }
      work.missing = (column < 0) | (column + (pixels - 1) * stride + 2 >= layer.in_w ? 2 : 0);
      work.y = y + first * channels;
      if (stride == 1)
        shape.tail == aotc_thumb1_fit ? convolve_block<1, aotc_thumb1_fit>(pixels, &work)
                                      : convolve_block<1, aotc_thumb1_split>(pixels, &work);
      else
        shape.tail == aotc_thumb1_fit ? convolve_block<2, aotc_thumb1_fit>(pixels, &work)
                                      : convolve_block<2, aotc_thumb1_split>(pixels, &work);
    }
  }
}
