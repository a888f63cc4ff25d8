// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, for Armv7-M and Armv7E-M: four channels of a
// pixel at a time. The levels differ in how they sum. Device code only.
//
// Stream, per group of four channels: per channel start, mantissa, round (fit) or
// add (away), right (away, else 0), as the tails of thumb2_stream.h and dsp_stream.h,
// or start, mantissa, shift and 0 (general); then weights as the level likes them, a
// multiple of four bytes.
#pragma once

#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/generic/kernels/fixed_point.h"

/// As dsp_stream.h and thumb2_stream.h number them.
enum aotc_depthwise_tail : int32_t {
  aotc_depthwise_tail_fit = 0,
  aotc_depthwise_tail_away = 1,
};

/// aotc_thumb2_away and aotc_dsp_away (thumb2_stream.h, dsp_stream.h) but for the
/// saturation; twice: 2*acc, p: the channel's words of the stream.
static AOTC_INLINE int32_t aotc_depthwise_away(int32_t twice, const int32_t *p) {
  const int32_t add = p[2] + (twice >> 31);
  const int64_t sum = (int64_t)((uint64_t)(uint32_t)add << 32) + (int64_t)twice * p[1];
  return (int32_t)((sum + 0x80000000LL) >> 32) >> p[3];
}
/// The same of aotc_thumb2_fit and aotc_dsp_fit.
static AOTC_INLINE int32_t aotc_depthwise_fit(int32_t acc, const int32_t *p, int32_t up) {
  const auto product = (int32_t)((int64_t)(acc * 256) * p[1] >> 32);
  return (int32_t)((uint32_t)product + (uint32_t)p[2]) >> up;
}

/// Output of a sum.
static AOTC_INLINE int8_t aotc_depthwise_output(int32_t sum, const int32_t *p,
                                                const aotc_depthwise_window_shape &shape,
                                                const aotc_depthwise_groups_layer &layer) {
  if (shape.tail == aotc_depthwise_tail_fit)
    return (int8_t)__builtin_arm_ssat(aotc_depthwise_fit(sum, p, shape.up), 8);
  if (shape.tail == aotc_depthwise_tail_away)
    return (int8_t)__builtin_arm_ssat(aotc_depthwise_away(2 * sum, p), 8);
  return aotc_requantize_s8((uint32_t)sum, {p[1], p[2]}, 1, layer.out_zero_point, layer.act_min,
                            layer.act_max);
}

/// Sum::group_words(taps): words of a group's weights; Sum::add(s, taps, end, channel,
/// weights): adds the products of channels `channel` ... + 3.
template <typename Sum>
static AOTC_INLINE void aotc_depthwise_shared_shift(const aotc_depthwise_window_shape &shape,
                                                    const aotc_depthwise_groups_layer &layer,
                                                    const void *const *in, void *const *out,
                                                    const void *const *data, void *scratch,
                                                    int32_t rows, int32_t descending) {
  constexpr int32_t group = aotc_depthwise_group, channel_words = aotc_depthwise_shared_shift_words;
  constexpr int32_t tail_words = group * channel_words;
  const aotc_depthwise_window_layer &window = layer.window;
  const int32_t taps = aotc_depthwise_window_taps(window.kernel_h, window.kernel_w);
  const aotc_depthwise_stream stream(window, data[0], tail_words + Sum::group_words(taps),
                                     descending);
  auto *const results = static_cast<int8_t *>(scratch) + taps * (int32_t)sizeof(void *);
  aotc_depthwise_window_walk(
      window, in, out, static_cast<const int8_t *>(data[1]), scratch, rows, descending,
      [=, &shape, &layer](int8_t *y, const int8_t *const *first,
                          const int8_t *const *end) AOTC_INLINED {
        aotc_depthwise_walk_groups(
            window, shape.plain, stream, descending, y, results,
            [=, &shape, &layer](int8_t *to, int32_t step, int32_t skip, int32_t c,
                                const int32_t *p) AOTC_INLINED {
              int32_t s[group] = {p[0], p[channel_words], p[2 * channel_words],
                                  p[3 * channel_words]};
              Sum::add(s, first, end, c, p + tail_words);
#pragma clang loop unroll(full)
              for (int32_t k = 0; k < group; ++k)
                if (k >= skip)
                  to[k * step] = aotc_depthwise_output(s[k], p + channel_words * k, shape, layer);
            });
      });
}
