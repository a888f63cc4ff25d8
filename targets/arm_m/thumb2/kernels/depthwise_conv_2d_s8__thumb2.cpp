// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, Armv7-M: a tap of four channels at a time, an
// LDRSB for each input and weight, an MLA for each product. Weights: per tap a byte
// for each of the four channels.
#include "targets/arm_m/kernels/depthwise_shared_shift.h"
#include "targets/arm_m/thumb2/kernels/thumb2_stream.h"

static_assert((int32_t)aotc_depthwise_tail_fit == (int32_t)aotc_thumb2_fit &&
              (int32_t)aotc_depthwise_tail_away == (int32_t)aotc_thumb2_away);

namespace {

struct single_taps {
  static AOTC_INLINE int32_t group_words(int32_t taps) { return taps; }
  static AOTC_INLINE void add(int32_t (&s)[4], const int8_t *const *taps, const int8_t *const *end,
                              int32_t channel, const int32_t *weights) {
    const auto *w = reinterpret_cast<const int8_t *>(weights);
#pragma clang loop unroll(disable)
    for (; taps != end; ++taps, w += 4) {
      const int8_t *x = *taps + channel;
#pragma clang loop unroll(full)
      for (int32_t k = 0; k < 4; ++k)
        s[k] = (int32_t)((uint32_t)s[k] + (uint32_t)(x[k] * w[k]));
    }
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__thumb2) {
  AOTC_KERNEL_ARGS(aotc_depthwise_window_shape, aotc_depthwise_groups_layer);
  aotc_depthwise_shared_shift<single_taps>(shape, layer, in, out, data, scratch, rows, descending);
}
