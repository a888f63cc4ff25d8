// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, for Armv7-M and Armv7E-M: four channels of a
// pixel at a time. The levels differ in how they sum. Device code only.
//
// Stream, per group of four channels: per channel start, mantissa, round (fit) or
// add (away), right (away, else 0), as the tails of thumb2_stream.h and dsp_stream.h;
// then weights as the level likes them, a multiple of four bytes.
#pragma once

#include "targets/arm_m/kernels/depthwise_window.h"

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

/// Sum::group_words(taps): words of a group's weights; Sum::add(s, taps, end, channel,
/// weights): adds the products of channels `channel` ... + 3. `fit`: which tail.
template <typename Sum>
static AOTC_INLINE void
aotc_depthwise_shared_shift(const aotc_depthwise_window_layer &layer, bool fit, int32_t up,
                            const void *const *in, void *const *out, const void *const *data,
                            void *scratch, int32_t rows, int32_t descending) {
  constexpr int32_t group = aotc_depthwise_group, tail_words = 4 * group;
  const auto *const stream = static_cast<const int32_t *>(data[0]);
  const int32_t channels = layer.channels;
  const int32_t words =
      tail_words + Sum::group_words(aotc_depthwise_window_taps(layer.kernel_h, layer.kernel_w));
  const int32_t *const first = descending ? stream + (channels / group - 1) * words : stream;
  const int32_t next = descending ? -words : words;
  aotc_depthwise_window_walk(
      layer, in, out, static_cast<const int8_t *>(data[1]), scratch, rows, descending,
      [=](int8_t *y, const int8_t *const *taps, const int8_t *const *end) AOTC_INLINED {
        const int32_t *p = first;
#pragma clang loop unroll(disable)
        for (int32_t i = 0; i < channels; i += group, p += next) {
          const int32_t c = descending ? channels - group - i : i;
          int32_t s[group] = {p[0], p[4], p[8], p[12]};
          Sum::add(s, taps, end, c, p + tail_words);
#pragma clang loop unroll(full)
          for (int32_t k = 0; k < group; ++k) {
            const int32_t *const q = p + 4 * k;
            const int32_t value =
                fit ? aotc_depthwise_fit(s[k], q, up) : aotc_depthwise_away(2 * s[k], q);
            y[c + k] = (int8_t)__builtin_arm_ssat(value, 8);
          }
        }
      });
}
