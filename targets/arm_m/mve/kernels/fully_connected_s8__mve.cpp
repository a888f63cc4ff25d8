// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, Armv8.1-M with Helium: eight channels of one row at a time,
// 18 cycles for 128 multiply-accumulates. Each weight is used once, so loading it
// is what counts. Registers as in mve_dot.h, r0 ... r6 the first four channels'
// sums, r8 ... lr the others'.
#include "targets/KernelABI.h"
#include "targets/arm_m/mve/kernels/fully_connected_mve.h"
#include "targets/arm_m/mve/kernels/mve_copy.h"
#include "targets/arm_m/mve/kernels/mve_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

struct groups {
  const int8_t *x;         ///< [0]
  int32_t first;           ///< [4] inputs of the first step
  int8_t *y;               ///< [8]
  const int8_t *w, *w_end; ///< [12]
  int32_t turns;           ///< [20]
  aotc_mve_output output;  ///< [24]
  int32_t channels;        ///< [40] aotc_mve_general: left
};

#define W(q) "vldrb.u8 " q ", [r1], #16\n"
#define PRODUCTS(OP)                                                                               \
  W("q1")                                                                                          \
  OP " r0, q0, q1\n" W("q2") OP " r2, q0, q2\n" W("q1") OP " r4, q0, q1\n" W("q2") OP              \
      " r6, q0, q2\n" W("q1") OP " r8, q0, q1\n" W("q2") OP " r10, q0, q2\n" W("q1") OP            \
      " r12, q0, q1\n" W("q2") OP " lr, q0, q2\n"
#define FIRST "vldrb.u8 q0, [r3]\n add r3, r5\n" PRODUCTS("vmlav.s8")
#define NEXT AOTC_LOAD_X PRODUCTS("vmlava.s8")
#define DOT_N FIRST ".rept %c[n]\n" NEXT ".endr\n"
#define DOT_LOOP DOT_N "ldr r11, [r9, #20]\n 3:\n .rept 4\n" NEXT ".endr\n subs r11, #1\n bne 3b\n"

#define SUMS                                                                                       \
  "vmov q0[2], q0[0], r0, r4\n vmov q0[3], q0[1], r2, r6\n"                                        \
  "vmov q1[2], q1[0], r8, r12\n vmov q1[3], q1[1], r10, lr\n"
#define TAIL_FIT                                                                                   \
  "vldrw.u32 q2, [r1]\n vldrw.u32 q3, [r1, #32]\n ldr r11, [r9, #24]\n" SUMS                       \
  "ldr r6, [r9, #28]\n vmla.i32 q2, q0, r11\n vldrw.u32 q0, [r1, #16]\n"                           \
  "vmla.i32 q3, q1, r11\n vldrw.u32 q1, [r1, #48]\n adds r1, #64\n"                                \
  "vqrdmlash.s32 q2, q0, r6\n vqrdmlash.s32 q3, q1, r6\n"                                          \
  "vqrshrnb.s32 q2, q2, #16\n vqrshrnb.s32 q3, q3, #16\n"                                          \
  "vqmovnb.s16 q2, q2\n vqmovnb.s16 q3, q3\n vstrb.32 q2, [r7]\n vstrb.32 q3, [r7, #4]\n"          \
  "adds r7, #8\n"
#define AWAY(q, o)                                                                                 \
  "vldrw.u32 q2, [r1, #" #o "]\n vadd.i32 " q ", " q ", q2\n vldrw.u32 q2, [r1, #" #o "+16]\n"     \
  "vqrdmulh.s32 " q ", " q ", q2\n vldrw.u32 q2, [r1, #" #o "+32]\n"                               \
  "vshr.s32 q3, " q ", #31\n vadd.i32 " q ", " q ", q3\n vrshl.s32 " q ", " q ", q2\n"             \
  "vadd.i32 " q ", " q ", r11\n vqmovnb.s32 " q ", " q "\n vqmovnb.s16 " q ", " q "\n"
#define TAIL_AWAY                                                                                  \
  "ldr r11, [r9, #28]\n" SUMS AWAY("q0", 0)                                                        \
      AWAY("q1", 48) "adds r1, #96\n"                                                              \
                     "vstrb.32 q0, [r7]\n vstrb.32 q1, [r7, #4]\n adds r7, #8\n"
#define GENERAL(q, o, at)                                                                          \
  "vldrw.u32 q2, [r1, #" #o "]\n vadd.i32 " q ", " q ", q2\n vldrw.u32 q2, [r1, #" #o "+16]\n"     \
  "vqshl.s32 " q ", " q ", q2\n vldrw.u32 q2, [r1, #" #o "+32]\n"                                  \
  "vqrdmulh.s32 " q ", " q ", q2\n vldrw.u32 q2, [r1, #" #o "+48]\n vand q3, " q ", q2\n"          \
  "vshr.s32 q3, q3, #31\n vadd.i32 " q ", " q ", q3\n vrshl.s32 " q ", " q ", q2\n"                \
  "vadd.i32 " q ", " q ", r11\n vdup.32 q2, r5\n vdup.32 q3, r3\n"                                 \
  "vmax.s32 " q ", " q ", q2\n vmin.s32 " q ", " q ", q3\n"                                        \
  "vctp.32 r2\n vpst\n vstrbt.32 " q ", [r7, #" #at "]\n subs r2, #4\n it mi\n movmi r2, #0\n"
#define TAIL_GENERAL                                                                               \
  "ldr r11, [r9, #28]\n" SUMS                                                                      \
  "ldr r5, [r9, #32]\n ldr r3, [r9, #36]\n ldr r2, [r9, #40]\n" GENERAL("q0", 0, 0)                \
      GENERAL("q1", 64, 4) "str r2, [r9, #40]\n adds r1, #128\n adds r7, #8\n"

#define BODY(DOT, TAIL)                                                                            \
  "@ aotc.stack=36\n push {r4-r11, lr}\n mov r9, r0\n ldr r1, [r9, #12]\n ldr r7, [r9, #8]\n"      \
  "1: ldr r3, [r9]\n ldr r5, [r9, #4]\n" DOT TAIL                                                  \
  "ldr r11, [r9, #16]\n cmp r1, r11\n bne 1b\n pop {r4-r11, pc}\n"

#define BODIES(KIND, TAIL)                                                                         \
  template <int32_t Steps, int32_t Tail>                                                           \
    requires(Tail == KIND && Steps <= 4)                                                           \
  AOTC_NAKED void run(groups *) {                                                                  \
    __asm__ volatile(BODY(DOT_N, TAIL) : : [n] "i"(Steps - 1) : "memory");                         \
  }                                                                                                \
  template <int32_t Steps, int32_t Tail>                                                           \
    requires(Tail == KIND && Steps > 4)                                                            \
  AOTC_NAKED void run(groups *) {                                                                  \
    __asm__ volatile(BODY(DOT_LOOP, TAIL) : : [n] "i"(Steps - 5) : "memory");                      \
  }
BODIES(aotc_mve_fit, TAIL_FIT)
BODIES(aotc_mve_away, TAIL_AWAY)
BODIES(aotc_mve_general, TAIL_GENERAL)

template <int32_t Tail> AOTC_INLINE void run_steps(int32_t steps, groups *work) {
  switch (steps) {
  case 1:
    return run<1, Tail>(work);
  case 2:
    return run<2, Tail>(work);
  case 3:
    return run<3, Tail>(work);
  case 4:
    return run<4, Tail>(work);
  case 5:
    return run<5, Tail>(work);
  case 6:
    return run<6, Tail>(work);
  case 7:
    return run<7, Tail>(work);
  default:
    return run<8, Tail>(work);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_mve_shape, aotc_fully_connected_mve_layer);
  const auto *stream = static_cast<const int8_t *>(data[0]);
  groups work;
  work.first = layer.in_c & 15 ? layer.in_c & 15 : 16;
  work.w_end = stream + layer.stream_bytes;
  work.turns = layer.turns;
  work.output = layer.output;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < layer.rows; ++i) {
    const int32_t r = aotc_directed(i, layer.rows, descending);
    work.x = static_cast<const int8_t *>(in[0]) + r * layer.in_c;
    work.y = static_cast<int8_t *>(out[0]) + r * layer.out_c;
    work.w = stream;
    work.channels = layer.out_c;
    if (shape.copied) { // the weights behind it are 0
      auto *copy = static_cast<int8_t *>(scratch);
      aotc_mve_copy(copy, work.x, layer.in_c);
      work.x = copy;
    }
    if (shape.tail == aotc_mve_fit)
      run_steps<aotc_mve_fit>(shape.steps, &work);
    else if (shape.tail == aotc_mve_away)
      run_steps<aotc_mve_away>(shape.steps, &work);
    else
      run_steps<aotc_mve_general>(shape.steps, &work);
  }
}
