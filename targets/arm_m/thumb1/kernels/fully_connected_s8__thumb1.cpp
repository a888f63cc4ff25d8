// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, Armv6-M: four channels of one row at a time, 34 cycles
// for 8 multiply-accumulates. Two channels share a word, so that one MULS
// multiplies an input by both their weights (thumb1_stream.h); inputs are read
// where they are, or in a copy of the row if they are no multiple of 8.
#include "targets/KernelABI.h"
#include "targets/arm_m/thumb1/kernels/fully_connected_thumb1.h"
#include "targets/arm_m/thumb1/kernels/thumb1_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// In the order in which it stands on the stack. Bytes.
struct block {
  int8_t *y;                      ///< [0]
  int32_t begin;                  ///< [4] minus the number of inputs
  const int8_t *x_end;            ///< [8]
  int32_t bytes, unsigned_, half; ///< [12] 0x00ff00ff, -0x00800080, 0x8000
  const int32_t *w, *w_end;       ///< [24]
};

// r0 + r6 an input; r1, r2 two of them; r3, r4 their weights; r7 the stream. Sums
// r8 to r11: `all` and `high` of two pairs. r5, r12, lr: `bytes`, `unsigned_`,
// `half`.
#define PAIR(all, high)                                                                            \
  "ldmia r7!, {r3}\n lsrs r4, r3, #8\n ands r3, r5\n ands r4, r5\n add r3, r12\n add r4, r12\n"    \
  "muls r3, r1, r3\n muls r4, r2, r4\n adds r3, r3, r4\n add r3, lr\n add " all ", r3\n"           \
  "asrs r3, r3, #16\n add " high ", r3\n"
#define TWO_INPUTS                                                                                 \
  "ldrsb r1, [r6, r0]\n adds r0, #1\n ldrsb r2, [r6, r0]\n" PAIR("r8", "r9")                       \
      PAIR("r10", "r11") "adds r0, #1\n"
#define CONSTANTS "ldr r0, [sp, #16]\n mov r12, r0\n ldr r0, [sp, #20]\n mov lr, r0\n"

#define OUT(KIND, n, SUM) AOTC_LOAD_##KIND SUM AOTC_VALUE_##KIND(n) "strb r0, [r6, #" #n "]\n"
#define GROUPS(KIND)                                                                               \
  "@ aotc.stack=68\n" AOTC_PUSH "ldmia r0, {r0-r7}\n push {r0-r7}\n mov r7, r6\n"                  \
  "1:\n" CONSTANTS "ldmia r7!, {r0, r1, r2, r3}\n mov r8, r0\n mov r9, r1\n mov r10, r2\n"         \
  "mov r11, r3\n ldr r0, [sp, #4]\n ldr r5, [sp, #12]\n ldr r6, [sp, #8]\n"                        \
  "2:\n" TWO_INPUTS TWO_INPUTS TWO_INPUTS TWO_INPUTS "bne 2b\n"                                    \
  "ldr r6, [sp]\n" OUT(KIND, 0, AOTC_LOW("r8", "r9")) OUT(KIND, 1, AOTC_HIGH("r9"))                \
      OUT(KIND, 2, AOTC_LOW("r10", "r11"))                                                         \
          OUT(KIND, 3, AOTC_HIGH("r11")) "adds r6, #4\n str r6, [sp]\n ldr r0, [sp, #28]\n cmp "   \
                                         "r7, r0\n beq 9f\n b 1b\n" AOTC_SLOW_##KIND(0)            \
                                             AOTC_SLOW_##KIND(1) AOTC_SLOW_##KIND(2)               \
                                                 AOTC_SLOW_##KIND(3) "9: add sp, #32\n" AOTC_POP

template <int32_t Tail>
  requires(Tail == aotc_thumb1_fit)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(GROUPS(FIT) : : : "memory");
}
template <int32_t Tail>
  requires(Tail == aotc_thumb1_split)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(GROUPS(SPLIT) : : : "memory");
}

AOTC_INLINE void run(int32_t tail, const block *work) {
  tail == aotc_thumb1_fit ? groups<aotc_thumb1_fit>(work) : groups<aotc_thumb1_split>(work);
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__thumb1) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_thumb1_shape, aotc_fully_connected_thumb1_layer);
  const auto *stream = static_cast<const int32_t *>(data[0]);
  const int32_t in_c = shape.copied ? (layer.in_c + 7) & ~7 : layer.in_c;
  const int32_t group_words = aotc_fully_connected_thumb1_words(in_c, shape.tail);
  const int32_t whole = layer.out_c & ~3, rest = layer.out_c & 3;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < layer.rows; ++i) {
    const int32_t r = aotc_directed(i, layer.rows, descending);
    const auto *x = static_cast<const int8_t *>(in[0]) + r * layer.in_c;
    auto *y = static_cast<int8_t *>(out[0]) + r * layer.out_c;
    if (shape.copied) {
      auto *copy = static_cast<int8_t *>(scratch);
      __builtin_memcpy(copy, x, (uint32_t)layer.in_c);
      // Their weights are 0.
      __builtin_memset(copy + layer.in_c, 0, (uint32_t)(in_c - layer.in_c));
      x = copy;
    }
    block work = {y,           -in_c,  x + in_c, 0x00ff00ff,
                  -0x00800080, 0x8000, stream,   stream + (whole >> 2) * group_words};
    if (whole)
      run(shape.tail, &work);
    if (rest) {
      int8_t last[4];
      work.y = last;
      work.w = work.w_end;
      work.w_end += group_words;
      run(shape.tail, &work);
#pragma clang loop unroll(disable)
      for (int32_t k = 0; k < rest; ++k)
        y[whole + k] = last[k];
    }
  }
}
