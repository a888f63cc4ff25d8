// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, any window without groups, Armv8.1-M with Helium: the windows of
// some neighbouring pixels are gathered into scratch; then mve_dot.h.
#include "targets/KernelABI.h"
#include "targets/arm_m/mve/kernels/conv_2d_mve.h"
#include "targets/arm_m/mve/kernels/mve_copy.h"
#include "targets/arm_m/mve/kernels/mve_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// A run of which some bytes lie outside their row, or all (x null).
__attribute__((noinline)) void gather_border(const aotc_conv_2d_mve_layer &layer, const int8_t *x,
                                             int32_t from, int8_t *s) {
  const int32_t run = layer.run, behind = from + run - layer.width;
  const int32_t before = from < 0 ? -from : 0;
  aotc_mve_fill(s, layer.in_zero_point, run);
  if (x)
    aotc_mve_copy(s + before, x + from + before, run - before - (behind > 0 ? behind : 0));
}

/// The windows of neighbouring pixels, the first at byte `at` of its rows: run by
/// run, of all pixels.
AOTC_INLINE void gather(const aotc_conv_2d_mve_layer &layer, const void *const *window, int32_t at,
                        int32_t pixels, int8_t *s) {
  const int32_t run = layer.run, taps = layer.taps, step = layer.step;
  const int32_t room = layer.width - run; // where the last run inside its row begins
#pragma clang loop unroll(disable)
  for (int32_t r = 0; r < layer.kernel_h; ++r) {
    const auto *x = static_cast<const int8_t *>(window[r * layer.dilation_h]);
#pragma clang loop unroll(disable)
    for (int32_t k = 0, from = at; k < layer.runs; ++k, from += layer.run_step, s += run) {
      int8_t *to = s;
      int32_t begin = from;
#pragma clang loop unroll(disable)
      for (int32_t pixel = pixels; pixel > 0; --pixel, begin += step, to += taps)
        if (x && begin >= 0 && begin <= room)
          aotc_mve_copy(to, x + begin, run);
        else
          gather_border(layer, x, begin, to);
    }
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_mve_shape, aotc_conv_2d_mve_layer);
  auto *windows = static_cast<int8_t *>(scratch);
  const auto *stream = static_cast<const int8_t *>(data[0]);
  const int32_t out_w = layer.out_w, out_c = layer.out_c, taps = layer.taps;
  const int32_t count = rows ? rows : 1; // flat: one row
  aotc_mve_pairs work;
  work.x = windows;
  work.w_end = stream + layer.stream_bytes;
  work.turns = layer.turns;
  work.output = layer.output;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < count; ++i) {
    const int32_t row = aotc_directed(i, count, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
    int32_t pixels = layer.pixels;
#pragma clang loop unroll(disable)
    for (int32_t left = out_w; left > 0; left -= pixels) {
      pixels = pixels < left ? pixels : left;
      const int32_t first = descending ? left - pixels : out_w - left;
      const int32_t at = first * layer.step - layer.pad_left;
      if (layer.whole)
        aotc_mve_copy(windows, static_cast<const int8_t *>(window[0]) + at, pixels * taps);
      else
        gather(layer, window, at, pixels, windows);
      // An odd pixel comes last, its own neighbour.
      work.pairs = pixels >> 1;
      work.x_step = taps - 16;
      work.y_step = out_c;
      int32_t done = 0;
#pragma clang loop unroll(disable)
      for (int32_t odd = 0; odd < 2; ++odd) {
        if (work.pairs) {
          work.x = windows + done * taps;
          work.y = y + (first + done) * out_c;
          work.w = stream;
          work.channels = out_c;
          if (shape.tail == aotc_mve_fit)
            aotc_mve_convolve_steps<aotc_mve_fit>(shape.steps, &work);
          else if (shape.tail == aotc_mve_away)
            aotc_mve_convolve_steps<aotc_mve_away>(shape.steps, &work);
          else
            aotc_mve_convolve_steps<aotc_mve_general>(shape.steps, &work);
        }
        done = pixels & ~1;
        work.pairs = pixels & 1;
        work.x_step = -16;
        work.y_step = 0;
      }
    }
  }
}
