// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, Armv7E-M: two taps of four channels by four
// SMLAD. A word of inputs has four channels of a tap; PKHBT, PKHTB and SXTB16 make
// pairs of taps per channel. Weights: per two taps a, b the bytes a0 a1 b0 b1, then
// a2 a3 b2 b3: SXTB16 makes the same pairs; halfwords would save two instructions
// in 20, and take twice the flash.
#include "targets/arm_m/dsp/kernels/dsp_dot.h"
#include "targets/arm_m/kernels/depthwise_shared_shift.h"

static_assert((int32_t)aotc_depthwise_tail_fit == (int32_t)aotc_dsp_fit &&
              (int32_t)aotc_depthwise_tail_away == (int32_t)aotc_dsp_away);

namespace {

struct pairs {
  static AOTC_INLINE int32_t group_words(int32_t taps) { return taps; }
  static AOTC_INLINE void add(int32_t (&s)[4], const int8_t *const *taps, const int8_t *const *end,
                              int32_t channel, const int32_t *w) {
#pragma clang loop unroll(disable)
    for (; taps != end; taps += 2, w += 2) {
      const auto a = (uint32_t)aotc_load_word(taps[0] + channel);
      const auto b = (uint32_t)aotc_load_word(taps[1] + channel);
      const auto low = (int32_t)((a & 0xffff) | b << 16);
      const auto high = (int32_t)(a >> 16 | (b & 0xffff0000));
      s[0] = __builtin_arm_smlad(aotc_even_bytes(low), aotc_even_bytes(w[0]), s[0]);
      s[1] = __builtin_arm_smlad(aotc_odd_bytes(low), aotc_odd_bytes(w[0]), s[1]);
      s[2] = __builtin_arm_smlad(aotc_even_bytes(high), aotc_even_bytes(w[1]), s[2]);
      s[3] = __builtin_arm_smlad(aotc_odd_bytes(high), aotc_odd_bytes(w[1]), s[3]);
    }
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__dsp) {
  AOTC_KERNEL_ARGS(aotc_depthwise_window_shape, aotc_depthwise_groups_layer);
  aotc_depthwise_shared_shift<pairs>(shape, layer, in, out, data, scratch, rows, descending);
}
