// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, Armv7-M: eight channels of one row at a time, 22 cycles
// for eight multiply-accumulates. Each weight is used once, so loading it is what
// counts: a word has four, which two AND make words of two lanes; an input, plus
// 128, multiplies both (thumb2_stream.h, weights and inputs exchanged). No scratch.
#include "targets/KernelABI.h"
#include "targets/arm_m/kernels/fully_connected_eights.h"
#include "targets/arm_m/thumb2/kernels/fully_connected_thumb2.h"
#include "targets/arm_m/thumb2/kernels/thumb2_dot.h"

namespace {

/// In the order it is pushed; x and w as far behind as r4 and r5.
struct block {
  void *y; ///< aotc_thumb2_general: receives 8 sums (int32_t) of one group
  const uint8_t *w_end;
  const int8_t *x_end, *x;
  int32_t all, high; ///< first values
  const uint8_t *w;
};

// r4 inputs - 1, r5 weights - 4, r3 mask; `all` and `high` of the pairs c0 c1, c2 c3,
// c4 c5, c6 c7 as in thumb2_dot.h.
#define WORD(all0, high0, all1, high1)                                                             \
  "and r2, r3, r1\n and r1, r3, r1, lsr #8\n" AOTC_PRODUCT("r2", "r0", all0, high0)                \
      AOTC_PRODUCT("r1", "r0", all1, high1)
#define INPUT(FIRST, LOAD_X, SECOND)                                                               \
  FIRST LOAD_X "eor r0, r0, #0x80\n" WORD("r6", "r7", "r8", "r9")                                  \
      SECOND WORD("r10", "r11", "r12", "lr")
#define INNER(i)                                                                                   \
  INPUT("ldr r1, [r5, #(8*" #i "+4)]\n", "ldrb r0, [r4, #(" #i "+1)]\n",                           \
        "ldr r1, [r5, #(8*" #i "+8)]\n")
#define TURN                                                                                       \
  INNER(0)                                                                                         \
  INNER(1)                                                                                         \
  INNER(2)                                                                                         \
  INNER(3)                                                                                         \
  INNER(4)                                                                                         \
  INNER(5) INNER(6) INPUT("ldr r1, [r5, #60]\n", "ldrb r0, [r4, #8]!\n", "ldr r1, [r5, #64]!\n")

#define FIT2(all, high, o)                                                                         \
  "ldr r0, [r5, #(" #o "+4)]\n ldr r1, [r5, #(" #o "+8)]\n ldr r2, [r5, #(" #o "+12)]\n"           \
  "ldr r4, [r5, #(" #o "+16)]\n lsl " all ", " all ", #8\n sub " all ", " all ", " high            \
  ", lsl #24\n lsl " high ", " high ", #8\n" AOTC_FIT1(all, "r0", "r1")                            \
      AOTC_FIT1(high, "r2", "r4")
#define TAIL_FIT                                                                                   \
  FIT2("r6", "r7", 0)                                                                              \
  FIT2("r8", "r9", 16) FIT2("r10", "r11", 32) FIT2("r12", "lr", 48) "adds r5, #64\n"

#define AWAY1(acc, o)                                                                              \
  "ldr r0, [r5, #(" o "+4)]\n ldr r1, [r5, #(" o "+8)]\n ldr r4, [r5, #(" o "+12)]\n"              \
  "ldr r2, [r5, #(" o "+16)]\n add " acc ", r2\n" AOTC_AWAY1(acc)
#define AWAY2(all, high, o)                                                                        \
  "sub " all ", " all ", " high ", lsl #16\n" AWAY1(all, #o) AWAY1(high, #o "+16")
#define TAIL_AWAY                                                                                  \
  AWAY2("r6", "r7", 0)                                                                             \
  AWAY2("r8", "r9", 32) AWAY2("r10", "r11", 64) AWAY2("r12", "lr", 96) "adds r5, #128\n"

/// Stack: [0] y [4] end of the stream [8] end of x [12] x [16] all [20] high.
#define BEGIN                                                                                      \
  "@ aotc.stack=60\n push {r4-r11, lr}\n ldmia r0, {r1-r7}\n push {r1-r6}\n mov r5, r7\n"
#define DOT                                                                                        \
  "ldr r4, [sp, #12]\n ldr r6, [sp, #16]\n ldr r7, [sp, #20]\n mov r8, r6\n mov r9, r7\n"          \
  "mov r10, r6\n mov r11, r7\n mov r12, r6\n mov lr, r7\n mov r3, #0x00ff00ff\n .p2align 2\n"      \
  "2:\n" TURN "ldr r0, [sp, #8]\n cmp r4, r0\n bne 2b\n"
#define END "add sp, #24\n pop {r4-r11, pc}\n"
#define GROUPS(TAIL)                                                                               \
  BEGIN                                                                                            \
  ".p2align 2\n1:\n" DOT TAIL                                                                      \
  "ldr r0, [sp]\n ldr r1, [sp, #4]\n strb r7, [r0, #1]\n strb r8, [r0, #2]\n"                      \
  "strb r9, [r0, #3]\n strb r10, [r0, #4]\n strb r11, [r0, #5]\n strb r12, [r0, #6]\n"             \
  "strb lr, [r0, #7]\n strb r6, [r0], #8\n str r0, [sp]\n cmp r5, r1\n bne 1b\n" END

template <int32_t Tail, int32_t Up>
  requires(Tail == aotc_thumb2_fit)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(GROUPS(TAIL_FIT) : : [up] "i"(Up) : "memory");
}
template <int32_t Tail, int32_t Up>
  requires(Tail == aotc_thumb2_away)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(GROUPS(TAIL_AWAY) : : : "memory");
}
template <int32_t Tail, int32_t Up>
  requires(Tail == aotc_thumb2_general)
AOTC_NAKED void groups(const block *) {
  __asm__ volatile(BEGIN DOT
                   "sub r6, r6, r7, lsl #16\n sub r8, r8, r9, lsl #16\n"
                   "sub r10, r10, r11, lsl #16\n sub r12, r12, lr, lsl #16\n ldr r0, [sp]\n"
                   "stmia r0, {r6, r7, r8, r9, r10, r11, r12, lr}\n" END
                   :
                   :
                   : "memory");
}

/// The sum of a row's inputs, each plus 128; four at a time.
AOTC_INLINE uint32_t sum_of(const int8_t *x, int32_t count) {
  uint32_t sum = 0;
#pragma clang loop unroll(disable)
  for (; count >= 4; count -= 4, x += 4) {
    uint32_t word;
    __builtin_memcpy(&word, x, 4);
    word ^= 0x80808080u;
    word = (word & 0x00ff00ffu) + (word >> 8 & 0x00ff00ffu);
    sum += (word & 0xffffu) + (word >> 16);
  }
#pragma clang loop unroll(disable)
  for (; count; --count)
    sum += (uint32_t)(*x++ + 128);
  return sum;
}

/// One row; x has in_c inputs, rounded up to turns, and the sum of the real ones.
template <int32_t Tail, int32_t Up>
AOTC_INLINE void row(const aotc_fully_connected_thumb2_layer &layer, int32_t in_c,
                     const void *const *data, const int8_t *x, uint32_t sum, int8_t *y) {
  const auto *stream = static_cast<const uint8_t *>(data[0]) - 4;
  constexpr int32_t tail_bytes = Tail == aotc_thumb2_fit ? 64 : Tail == aotc_thumb2_away ? 128 : 0;
  const int32_t group_bytes = 8 * in_c + tail_bytes;
  const uint32_t high = -128u * sum;
  block work = {y, stream, x - 1 + in_c, x - 1, (int32_t)(high * 0x10001u), (int32_t)high, stream};
  if constexpr (Tail != aotc_thumb2_general)
    finish_in_eights(work, group_bytes, layer.out_c, y, groups<Tail, Up>);
  else
    requantize_in_eights(work, group_bytes, layer, data, y, groups<Tail, Up>);
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__thumb2) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_thumb2_shape, aotc_fully_connected_thumb2_layer);
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < layer.rows; ++i) {
    const int32_t r = aotc_directed(i, layer.rows, descending);
    const auto *x = static_cast<const int8_t *>(in[0]) + r * layer.in_c;
    auto *y = static_cast<int8_t *>(out[0]) + r * layer.out_c;
    const uint32_t sum = sum_of(x, layer.in_c);
    int32_t in_c = layer.in_c;
    x = whole_turns<aotc_fully_connected_thumb2_turn>(x, in_c, shape.copied, scratch);
    aotc_thumb2_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
      row<Tail, Up>(layer, in_c, data, x, sum, y);
    });
  }
}
