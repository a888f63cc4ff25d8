// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, 1x1, Armv7E-M: the loops over pixel pairs, channels and inputs
// in one body (dsp_dot.h has the innermost). The inputs of two pixels are
// widened once into scratch, 4 bytes per channel, in the order the loop reads.
#include "targets/KernelABI.h"
#include "targets/arm_m/dsp/kernels/conv_2d_dsp.h"
#include "targets/arm_m/dsp/kernels/dsp_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// In the order in which it stands on the stack. Bytes.
struct pixel_pairs {
  int8_t *y0, *y1;                       ///< [0], set by the body
  const int32_t *w_end, *x_end, *xs, *w; ///< [8]; xs: scratch
  int32_t pairs;                         ///< [24]
  const int8_t *x;                       ///< [28]
  int8_t *y;                             ///< [32]
  int32_t x_step, y_step;                ///< [36] from pair to pair
  int32_t y_second, x_second;            ///< [44] from pixel 0 to pixel 1
  int32_t in_c;                          ///< [52]
};

#define BODY(TAIL)                                                                                 \
  "@ aotc.stack=92\n push {r4-r11, lr}\n sub sp, #56\n mov r12, sp\n"                              \
  "ldmia r0!, {r1-r7}\n stmia r12!, {r1-r7}\n ldmia r0, {r1-r7}\n stmia r12, {r1-r7}\n"            \
  "9: ldr r0, [sp, #28]\n ldr r1, [sp, #48]\n ldr r2, [sp, #16]\n ldr r3, [sp, #52]\n"             \
  "add r1, r0\n add r3, r0\n .p2align 2\n"                                                         \
  "8: ldr r6, [r0, #4]\n ldr r7, [r1, #4]\n ldr r4, [r0], #8\n ldr r5, [r1], #8\n"                 \
  "sxtb16 r8, r4\n sxtb16 r9, r5\n sxtb16 r4, r4, ror #8\n sxtb16 r5, r5, ror #8\n"                \
  "str r9, [r2, #4]\n str r4, [r2, #8]\n str r5, [r2, #12]\n"                                      \
  "sxtb16 r9, r6\n sxtb16 r10, r7\n sxtb16 r4, r6, ror #8\n sxtb16 r5, r7, ror #8\n"               \
  "str r9, [r2, #16]\n str r10, [r2, #20]\n str r4, [r2, #24]\n str r5, [r2, #28]\n"               \
  "str r8, [r2], #32\n cmp r0, r3\n bne 8b\n"                                                      \
  "ldr r0, [sp, #32]\n ldr r1, [sp, #44]\n ldr r5, [sp, #20]\n ldr r4, [sp, #16]\n"                \
  "add r1, r0\n strd r0, r1, [sp]\n" AOTC_CHANNELS(                                                \
      AOTC_TURN,                                                                                   \
      TAIL) "ldr r0, [sp, #28]\n ldr r1, [sp, #32]\n ldr r2, [sp, #36]\n ldr r3, [sp, #40]\n"      \
            "ldr r4, [sp, #24]\n add r0, r2\n add r1, r3\n subs r4, #1\n"                          \
            "str r0, [sp, #28]\n str r1, [sp, #32]\n str r4, [sp, #24]\n bne 9b\n"                 \
            "add sp, #56\n pop {r4-r11, pc}\n"

template <int32_t Tail, int32_t Up, int32_t H>
  requires(Tail == aotc_dsp_fit)
AOTC_NAKED void convolve(const pixel_pairs *) {
  __asm__ volatile(BODY(AOTC_TAIL_FIT) : : [h] "i"(H), [up] "i"(Up) : "memory");
}
template <int32_t Tail, int32_t Up, int32_t H>
  requires(Tail == aotc_dsp_away)
AOTC_NAKED void convolve(const pixel_pairs *) {
  __asm__ volatile(BODY(AOTC_TAIL_AWAY) : : [h] "i"(H) : "memory");
}
template <int32_t Tail, int32_t Up, int32_t H>
  requires(Tail == aotc_dsp_general)
void convolve(const pixel_pairs *) {} // such layers are gathered

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8_1x1__dsp) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_1x1_dsp_shape, aotc_conv_2d_1x1_dsp_layer);
  const auto *stream = static_cast<const int32_t *>(data[0]);
  auto *widened = static_cast<int32_t *>(scratch);
  const int32_t in_c = layer.in_c, out_c = layer.out_c, step = layer.stride * in_c;
  const int32_t count = rows ? rows : 1; // flat: one row
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < count; ++i) {
    const int32_t row = aotc_directed(i, count, descending);
    const auto *x = static_cast<const int8_t *>(in[row * shape.stride_h]);
    auto *y = static_cast<int8_t *>(out[row]);
    const int32_t n = layer.pixels;
    pixel_pairs p = {nullptr,        nullptr,   stream + layer.words,
                     widened + in_c, widened,   stream,
                     n >> 1,         x,         y,
                     2 * step,       2 * out_c, out_c,
                     step,           in_c};
    if (descending) {
      p.x += (n - 2) * step;
      p.y += (n - 2) * out_c;
      p.x_step = -p.x_step;
      p.y_step = -p.y_step;
    }
    // Pairs from the front, or from the back; the one pixel left of an odd count
    // comes last, as its own neighbour.
    const int32_t last = descending ? 0 : n - 1;
#pragma clang loop unroll(disable)
    for (int32_t odd = 0; odd < 2; ++odd) {
      if (p.pairs)
        aotc_dsp_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
          if (shape.turn == 8)
            convolve<Tail, Up, 8>(&p);
          else
            convolve<Tail, Up, 4>(&p);
        });
      p.pairs = n & 1;
      p.x = x + last * step;
      p.y = y + last * out_c;
      p.x_second = p.y_second = 0;
    }
  }
}
