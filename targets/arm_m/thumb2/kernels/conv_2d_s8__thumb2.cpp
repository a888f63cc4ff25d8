// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, any window without groups, Armv7-M. The windows of a pixel pair
// are gathered into scratch, a word per tap (thumb2_stream.h), in runs of bytes
// that neighbour each other in both windows: whole window rows where both lie
// inside the image, else tap by tap, absent ones from a pixel of zero points.
#include "targets/KernelABI.h"
#include "targets/arm_m/thumb2/kernels/conv_2d_thumb2.h"
#include "targets/arm_m/thumb2/kernels/thumb2_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// Words of `count` bytes of both pixels, 27 cycles per four; returns their end.
uint32_t *gather(const int8_t *p0, const int8_t *p1, int32_t count, uint32_t *words,
                 aotc_thumb2_sums &sums) {
  uint32_t all = sums.all, high = sums.high;
  const int32_t rest = count & 3;
  p0 += count - rest;
  p1 += count - rest;
  if (int32_t i = rest - count) {
    uint32_t a, b, c, d, t;
    __asm__ volatile(
        ".p2align 2\n1: ldr %[a], [%[p0], %[i]]\n ldr %[b], [%[p1], %[i]]\n"
        "eor %[a], %[a], #0x80808080\n eor %[b], %[b], #0x80808080\n"
        // Bytes 0 and 2, 1 and 3, as halfwords.
        "and %[c], %[mask], %[a]\n and %[a], %[mask], %[a], lsr #8\n"
        "and %[d], %[mask], %[b]\n and %[b], %[mask], %[b], lsr #8\n"
        "lsr %[t], %[c], #16\n bfi %[c], %[d], #16, #16\n bfi %[d], %[t], #0, #16\n"
        "lsr %[t], %[a], #16\n bfi %[a], %[b], #16, #16\n bfi %[b], %[t], #0, #16\n"
        "str %[a], [%[words], #4]\n str %[d], [%[words], #8]\n str %[b], [%[words], #12]\n"
        "str %[c], [%[words]], #16\n"
        "add %[a], %[b]\n add %[a], %[c]\n add %[a], %[d]\n"
        "add %[all], %[a]\n add %[high], %[high], %[a], lsr #16\n"
        "adds %[i], #4\n bne 1b\n"
        : [i] "+r"(i), [words] "+r"(words), [all] "+r"(all), [high] "+r"(high), [a] "=&r"(a),
          [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d), [t] "=&r"(t)
        : [p0] "r"(p0), [p1] "r"(p1), [mask] "r"(0x00ff00ff)
        : "cc", "memory");
  }
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rest; ++i) {
    const uint32_t word = (uint32_t)((uint8_t)p0[i] | (uint8_t)p1[i] << 16) ^ 0x00800080u;
    *words++ = word;
    all += word;
    high += word >> 16;
  }
  sums = {all, high};
  return words;
}

/// Windows that begin at pixels x0 and x1 of their rows.
AOTC_INLINE aotc_thumb2_sums gather_windows(const aotc_conv_2d_thumb2_layer &layer,
                                            const void *const *window, int32_t x0, int32_t x1,
                                            const int8_t *zeros, uint32_t *words) {
  aotc_thumb2_sums sums = {0, 0};
  const int32_t in_c = layer.in_c, in_w = layer.in_w;
  const int32_t extent = (layer.kernel_w - 1) * layer.dilation_w;
  const int32_t lower = x0 < x1 ? x0 : x1, upper = x0 < x1 ? x1 : x0;
  const bool whole = layer.dilation_w == 1 && lower >= 0 && upper + extent < in_w;
#pragma clang loop unroll(disable)
  for (int32_t r = 0; r < layer.kernel_h; ++r) {
    const auto *row = static_cast<const int8_t *>(window[r * layer.dilation_h]);
    if (row && whole) {
      words = gather(row + x0 * in_c, row + x1 * in_c, layer.kernel_w * in_c, words, sums);
      continue;
    }
#pragma clang loop unroll(disable)
    for (int32_t k = 0, at = 0; k < layer.kernel_w; ++k, at += layer.dilation_w) {
      auto tap = [&](int32_t x) {
        return row && (uint32_t)x < (uint32_t)in_w ? row + x * in_c : zeros;
      };
      words = gather(tap(x0 + at), tap(x1 + at), in_c, words, sums);
    }
  }
  return sums;
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8__thumb2) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_thumb2_shape, aotc_conv_2d_thumb2_layer);
  auto *words = static_cast<uint32_t *>(scratch);
  const bool general = shape.tail == aotc_thumb2_general;
  const aotc_thumb2_channels channels = {layer.out_c,
                                         layer.taps,
                                         static_cast<const uint8_t *>(data[0]),
                                         words,
                                         general ? static_cast<const int32_t *>(data[2]) : nullptr,
                                         general ? static_cast<const aotc_multiplier *>(data[3])
                                                 : nullptr,
                                         layer.per_channel,
                                         layer.out_zero_point,
                                         layer.act_min,
                                         layer.act_max};
  const auto *zeros = static_cast<const int8_t *>(data[1]);
  // No input for the taps a layer is rounded up by.
#pragma clang loop unroll(disable)
  for (int32_t i = layer.kernel_h * layer.kernel_w * layer.in_c; i < layer.taps; ++i)
    words[i] = 0;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
#pragma clang loop unroll(disable)
    for (int32_t left = layer.out_w; left > 0; left -= 2) {
      const int32_t both = left > 1;
      const int32_t first = descending ? left - 1 - both : layer.out_w - left;
      const int32_t x0 = first * layer.stride_w - layer.pad_left;
      const aotc_thumb2_sums sums =
          gather_windows(layer, window, x0, both ? x0 + layer.stride_w : x0, zeros, words);
      int8_t *y0 = y + first * layer.out_c, *y1 = both ? y0 + layer.out_c : y0;
      aotc_thumb2_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
        aotc_thumb2_pair<Tail, Up>(channels, sums, y0, y1);
      });
    }
  }
}
