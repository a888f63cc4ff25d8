// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, Armv8.1-M with Helium: 16 channels of a pixel
// at a time. Products are summed as in depthwise_conv_2d_s8_3x3__mve.cpp: of two taps
// in 16 bits, bottom and top channels apart. Stream, per 16 channels: the tail's
// vectors, sum by sum, then 16 weights of each tap.
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/arm_m/mve/kernels/depthwise_conv_2d_mve.h"
#include "targets/arm_m/mve/kernels/mve_tail.h"

namespace {

constexpr int32_t lanes = 16;

/// Sums of channels 0 4 8 12, 2 6 10 14, 1 5 9 13, 3 7 11 15.
struct sums {
  int32x4_t s[4] = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0)};

  AOTC_INLINE void add(int16x8_t bottom, int16x8_t top) {
    s[0] = vaddq_s32(s[0], vmovlbq_s16(bottom));
    s[1] = vaddq_s32(s[1], vmovltq_s16(bottom));
    s[2] = vaddq_s32(s[2], vmovlbq_s16(top));
    s[3] = vaddq_s32(s[3], vmovltq_s16(top));
  }
};

template <int32_t Tail>
AOTC_INLINE int8x16_t outputs(const sums &sum, const int32_t *p, const aotc_mve_output &output) {
  constexpr int32_t words = 4 * aotc_mve_tail_vectors[Tail];
  int32x4_t s[4];
#pragma clang loop unroll(full)
  for (int32_t i = 0; i < 4; ++i)
    s[i] = aotc_mve_finish<Tail>(sum.s[i], p + i * words, output);
  int8x16_t y = vqmovnbq_s16(vdupq_n_s8(0), aotc_mve_narrow<Tail>(s[0], s[1]));
  y = vqmovntq_s16(y, aotc_mve_narrow<Tail>(s[2], s[3]));
  if constexpr (Tail == aotc_mve_general)
    y = vminq_s8(vmaxq_s8(y, vdupq_n_s8((int8_t)output.act_min)),
                 vdupq_n_s8((int8_t)output.act_max));
  return y;
}

/// Plain: the depth multiplier is 1; else a group's outputs are put together in scratch,
/// so that it reads all before it writes.
template <int32_t Tail, bool Plain>
AOTC_INLINE void convolve(const aotc_depthwise_conv_2d_mve_layer &layer, const void *const *in,
                          void *const *out, const void *const *data, void *scratch, int32_t rows,
                          int32_t descending) {
  constexpr int32_t tail_words = 16 * aotc_mve_tail_vectors[Tail];
  const auto *const stream = static_cast<const int32_t *>(data[0]);
  const int32_t channels = layer.window.in_c, groups = (channels + lanes - 1) / lanes;
  const int32_t multiplier = Plain ? 1 : layer.window.multiplier;
  const int32_t taps_padded =
      aotc_depthwise_window_taps(layer.window.kernel_h, layer.window.kernel_w);
  const int32_t words = tail_words + 4 * taps_padded;
  auto *const results = static_cast<int8_t *>(scratch) + taps_padded * (int32_t)sizeof(void *);
  const uint8x16_t places = vmulq_n_u8(vidupq_n_u8(0, 1), (uint8_t)multiplier);
  aotc_depthwise_window_walk(
      layer.window, in, out, static_cast<const int8_t *>(data[1]), scratch, rows, descending,
      [&](int8_t *y, const int8_t *const *taps, const int8_t *const *end) AOTC_INLINED {
#pragma clang loop unroll(disable)
        for (int32_t i = 0; i < groups; ++i) {
          const int32_t g = aotc_directed(i, groups, descending), c = lanes * g;
          const mve_pred16_t some = vctp8q((uint32_t)(channels - c));
          const int32_t *p = stream + g * multiplier * words;
#pragma clang loop unroll(disable)
          for (int32_t j = 0; j < multiplier; ++j, p += words) {
            const auto *w = reinterpret_cast<const int8_t *>(p + tail_words);
            sums sum;
#pragma clang loop unroll(disable)
            for (const int8_t *const *tap = taps; tap != end; tap += 2, w += 2 * lanes) {
              const int8x16_t x0 = vldrbq_z_s8(tap[0] + c, some), w0 = vldrbq_s8(w);
              const int8x16_t x1 = vldrbq_z_s8(tap[1] + c, some), w1 = vldrbq_s8(w + lanes);
              sum.add(vaddq_s16(vmullbq_int_s8(x0, w0), vmullbq_int_s8(x1, w1)),
                      vaddq_s16(vmulltq_int_s8(x0, w0), vmulltq_int_s8(x1, w1)));
            }
            const int8x16_t result = outputs<Tail>(sum, p, layer.output);
            if constexpr (Plain)
              vstrbq_p_s8(y + c, result, some);
            else
              vstrbq_scatter_offset_p_s8(results + j, places, result, some);
          }
          if constexpr (!Plain) {
            const int32_t count = channels - c < lanes ? channels - c : lanes;
            __builtin_memcpy(y + c * multiplier, results, (uint32_t)(count * multiplier));
          }
        }
      });
}

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_depthwise_window_shape, aotc_depthwise_conv_2d_mve_layer);
  auto with_tail = [&]<int32_t Tail>() AOTC_INLINED {
    shape.plain ? convolve<Tail, true>(layer, in, out, data, scratch, rows, descending)
                : convolve<Tail, false>(layer, in, out, data, scratch, rows, descending);
  };
  if (shape.tail == aotc_mve_fit)
    return with_tail.template operator()<aotc_mve_fit>();
  if (shape.tail == aotc_mve_away)
    return with_tail.template operator()<aotc_mve_away>();
  with_tail.template operator()<aotc_mve_general>();
}
