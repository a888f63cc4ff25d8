// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, Armv6-M: a tap of four channels at a time, 32
// cycles. Stream, per four channels: per channel the first value of the sum, then
// the tail (thumb1_stream.h); then a word of four weights per tap.
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/arm_m/thumb1/kernels/thumb1_dot.h"
#include "targets/generic/kernels/fixed_point.h"

namespace {

/// In the order in which the registers are loaded.
struct group {
  int32_t sums[aotc_depthwise_group];
  int32_t channel;
  const int32_t *weights;
  const int8_t *const *taps, *const *end;
};

#define WEIGHT_0 "sxtb r3, r1\n"
#define WEIGHT_1 "lsls r3, r1, #16\n asrs r3, r3, #24\n"
#define WEIGHT_2 "lsls r3, r1, #8\n asrs r3, r3, #24\n"
#define WEIGHT_3 "asrs r3, r1, #24\n"
#define NEXT "adds r0, #1\n ldrsb r2, [r0, r4]\n"
#define MLA(sum) "muls r2, r3, r2\n add " sum ", r2\n"
/// Adds the products of the group's four channels to its sums: r8 to r11; r0 input,
/// r1 weights of the tap, r4 channel, r5, r6, r7 weights, taps, end.
AOTC_NAKED void add_products(group *) {
  __asm__ volatile("@ aotc.stack=40\n" AOTC_PUSH "push {r0}\n"
                   "ldmia r0!, {r1-r4}\n mov r8, r1\n mov r9, r2\n mov r10, r3\n mov r11, r4\n"
                   "ldmia r0!, {r4-r7}\n .p2align 2\n"
                   "1: ldmia r6!, {r0}\n ldmia r5!, {r1}\n ldrsb r2, [r0, r4]\n" WEIGHT_0 MLA("r8")
                       NEXT WEIGHT_1 MLA("r9") NEXT WEIGHT_2 MLA("r10") NEXT WEIGHT_3 MLA(
                           "r11") "cmp r6, r7\n bne 1b\n"
                                  "pop {r0}\n mov r1, r8\n mov r2, r9\n mov r3, r10\n mov r4, r11\n"
                                  "stmia r0!, {r1-r4}\n" AOTC_POP
                   :
                   :
                   : "memory");
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__thumb1) {
  AOTC_KERNEL_ARGS(aotc_depthwise_window_shape, aotc_depthwise_groups_layer);
  const aotc_depthwise_window_layer &window = layer.window;
  const int32_t taps = aotc_depthwise_window_taps(window.kernel_h, window.kernel_w);
  const int32_t channel_words = 1 + aotc_thumb1_tail_words(shape.tail);
  const aotc_depthwise_stream stream(window, data[0], aotc_depthwise_group * channel_words + taps,
                                     descending);
  auto *const results = static_cast<int8_t *>(scratch) + taps * (int32_t)sizeof(void *);
  aotc_depthwise_window_walk(
      window, in, out, static_cast<const int8_t *>(data[1]), scratch, rows, descending,
      [&](int8_t *y, const int8_t *const *first, const int8_t *const *end) AOTC_INLINED {
        aotc_depthwise_walk_groups(
            window, shape.plain, stream, descending, y, results,
            [&](int8_t *to, int32_t step, int32_t skip, int32_t c, const int32_t *p) AOTC_INLINED {
              const int32_t *q = p;
              group g = {{}, c, p + aotc_depthwise_group * channel_words, first, end};
#pragma clang loop unroll(disable)
              for (int32_t k = 0; k < aotc_depthwise_group; ++k, q += channel_words)
                g.sums[k] = *q;
              add_products(&g);
              q = p + 1 + skip * channel_words;
#pragma clang loop unroll(disable)
              for (int32_t k = skip; k < aotc_depthwise_group; ++k, q += channel_words)
                to[k * step] =
                    shape.tail == aotc_thumb1_general
                        ? aotc_requantize_s8((uint32_t)g.sums[k], {q[0], q[1]}, 1,
                                             layer.out_zero_point, layer.act_min, layer.act_max)
                        : aotc_thumb1_output(g.sums[k], q, shape.tail);
            });
      });
}
