// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, any window without groups, Armv7E-M: first layers with few
// channels, large kernels, dilation, odd channel counts. The windows of a pixel
// pair are gathered into scratch, widened; then dsp_dot.h.
#include "targets/KernelABI.h"
#include "targets/arm_m/dsp/kernels/conv_2d_dsp.h"
#include "targets/arm_m/dsp/kernels/dsp_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

AOTC_BLOCK(gathered, AOTC_TURN)

/// The first `count` < 4 bytes at p; zeros behind them.
AOTC_INLINE int32_t load_bytes(const int8_t *p, int32_t count) {
  uint32_t word = (uint8_t)p[0];
  if (count > 1)
    word |= (uint32_t)(uint8_t)p[1] << 8;
  if (count > 2)
    word |= (uint32_t)(uint8_t)p[2] << 16;
  return (int32_t)word;
}

/// Four bytes of one pixel: every other word is the other pixel's.
AOTC_INLINE void put(int32_t *s, int32_t word) {
  s[0] = aotc_even_bytes(word);
  s[2] = aotc_odd_bytes(word);
}

/// A run that lies inside its row.
AOTC_INLINE int32_t *gather_inside(const int8_t *x, int32_t run, int32_t *s) {
#pragma clang loop unroll(disable)
  for (; run >= 4; run -= 4, x += 4, s += 4)
    put(s, aotc_load_word(x));
  if (run) {
    put(s, load_bytes(x, run));
    s += 4;
  }
  return s;
}

/// A run that begins `at` bytes into its row of `width` bytes, partly or wholly
/// outside; x null: all of it.
__attribute__((noinline)) int32_t *gather_border(const int8_t *x, int32_t at, int32_t width,
                                                 int32_t run, int32_t zero, int32_t *s) {
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < run; i += 4, s += 4) {
    uint32_t word = 0;
#pragma clang loop unroll(disable)
    for (int32_t k = 3; k >= 0; --k) {
      const int32_t j = at + i + k;
      const bool inside = x && i + k < run && (uint32_t)j < (uint32_t)width;
      word = word << 8 | (uint8_t)(inside ? x[j] : zero);
    }
    put(s, (int32_t)word);
  }
  return s;
}

/// The window that begins at byte `at` of its rows.
AOTC_INLINE void gather(const aotc_conv_2d_gather_dsp_layer &layer, const void *const *window,
                        int32_t at, int32_t *s) {
#pragma clang loop unroll(disable)
  for (int32_t r = 0; r < layer.kernel_h; ++r) {
    const auto *x = static_cast<const int8_t *>(window[r * layer.dilation_h]);
#pragma clang loop unroll(disable)
    for (int32_t k = 0, from = at; k < layer.runs; ++k, from += layer.run_step)
      s = x && from >= 0 && from + layer.run <= layer.width
              ? gather_inside(x + from, layer.run, s)
              : gather_border(x, from, layer.width, layer.run, layer.in_zero_point, s);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8_gather__dsp) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_gather_dsp_shape, aotc_conv_2d_gather_dsp_layer);
  auto *widened = static_cast<int32_t *>(scratch);
  const int32_t half_steps = layer.half_steps, out_w = layer.out_w;
  const bool general = shape.tail == aotc_dsp_general;
  const aotc_dsp_channels channels = {layer.out_c,
                                      aotc_dsp_group_words(2 * half_steps, shape.tail),
                                      static_cast<const int32_t *>(data[0]),
                                      widened,
                                      widened + 2 * half_steps,
                                      general ? static_cast<const int32_t *>(data[1]) : nullptr,
                                      general ? static_cast<const aotc_multiplier *>(data[2])
                                              : nullptr,
                                      layer.per_channel,
                                      layer.out_zero_point,
                                      layer.act_min,
                                      layer.act_max};
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
#pragma clang loop unroll(disable)
    for (int32_t left = out_w; left > 0; left -= 2) {
      const int32_t both = left > 1;
      const int32_t first = descending ? left - 1 - both : out_w - left;
#pragma clang loop unroll(disable)
      for (int32_t pixel = 0; pixel <= both; ++pixel)
        gather(layer, window, (first + pixel) * layer.step - layer.pad_left, widened + pixel);
      int8_t *y0 = y + first * layer.out_c, *y1 = both ? y0 + layer.out_c : y0;
      aotc_dsp_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
        aotc_dsp_pair<Tail>(channels, y0, y1, [&](const aotc_dsp_block *block) {
          switch (shape.turn) {
          case 10:
            return gathered<Tail, Up, 10>(block);
          case 8:
            return gathered<Tail, Up, 8>(block);
          case 6:
            return gathered<Tail, Up, 6>(block);
          default:
            return gathered<Tail, Up, 4>(block);
          }
        });
      });
    }
  }
}
