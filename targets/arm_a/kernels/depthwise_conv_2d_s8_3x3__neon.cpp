// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, 3x3, NEON: up to five pixels x eight channels, two taps
// at a time. Inside the image taps are read where they are; at its borders those
// of eight channels are copied first.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_s8_3x3.h"
#include "targets/arm_a/kernels/depthwise_s8.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/pixel_block.h"

namespace {

/// There are 32 vector registers, or 16.
constexpr int32_t most_pixels = sizeof(void *) == 8 ? 5 : 2;

/// A block's taps of eight channels: three rows, neighbours `step` apart.
struct window_rows {
  const int8_t *row[3];
  int32_t step;

  AOTC_INLINE int8x8_t at(int32_t tap, int32_t column) const {
    return vld1_s8(row[tap / 3] + (column + tap % 3) * step);
  }
};

/// Adds what Pixels pixels from the First-th on get. Loops over pixels must vanish,
/// for the sums to stand in registers.
template <int32_t First, int32_t Pixels>
AOTC_INLINE void convolve(const aotc_depthwise_conv_2d_3x3_neon_shape &shape,
                          const output_range &range, const window_rows &x, const int8_t *weights,
                          const depthwise_group &group, int8x8_t *results) {
  if constexpr (Pixels > most_pixels) {
    convolve<First, most_pixels>(shape, range, x, weights, group, results);
    // One after the other, for want of registers.
#pragma clang loop unroll(full)
    for (int32_t p = First; p < First + most_pixels; ++p)
      __asm__("" : "+r"(weights), "+w"(results[p]));
    convolve<First + most_pixels, Pixels - most_pixels>(shape, range, x, weights, group, results);
    return;
  }
  depthwise_sums acc[Pixels];
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
    acc[p] = group.first();
#pragma clang loop unroll(full)
  for (int32_t t = 0; t < 9; t += 2) {
    const int8x8_t w = vld1_s8(weights + t * depthwise_channels);
    const int8x8_t v = vld1_s8(weights + (t + 1) * depthwise_channels);
#pragma clang loop unroll(full)
    for (int32_t p = 0; p < Pixels; ++p) {
      const int32_t column = (First + p) * shape.stride_w;
      if (t < 8)
        acc[p].add(x.at(t, column), w, x.at(t + 1, column), v, shape.pairs);
      else
        acc[p].add(vmull_s8(x.at(t, column), w));
    }
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
    results[First + p] = group.last(acc[p], shape.requantize, range);
}

/// What scratch holds of a block at the image's border: three rows of `columns`
/// pixels, of which begin <= x < end lie in the image.
struct border {
  int32_t columns, begin, end;

  /// The pixels outside, the same for all channels. Null rows lie outside.
  AOTC_INLINE void fill(const void *const *row, int8_t padding, int8_t *to) const {
    for (int32_t k = 0; k < 3; ++k)
      for (int32_t x = 0; x < columns; ++x, to += depthwise_channels)
        if (!row[k] || x < begin || x >= end)
          vst1_s8(to, vdup_n_s8(padding));
  }

  /// Eight channels of a row; `from` is where the first column is, or would be.
  AOTC_INLINE void copy(const int8_t *from, int32_t channels, int8_t *to) const {
    auto pixel = [&](int32_t x) AOTC_INLINED {
      vst1_s8(to + x * depthwise_channels, vld1_s8(from + x * channels));
    };
    constexpr int32_t usual = (AOTC_DEPTHWISE_3X3_NEON_PIXELS - 1) * 2 + 3; // of strides 1, 2
    if (begin > 1 || end < columns - 1 || columns > usual) {
      for (int32_t x = begin; x < end; ++x)
        pixel(x);
      return;
    }
    if (begin == 0)
      pixel(0);
#pragma clang loop unroll(full)
    for (int32_t x = 1; x < usual - 1; ++x)
      if (x < columns - 1)
        pixel(x);
    if (end == columns)
      pixel(columns - 1);
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8_3x3__neon) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_3x3_neon_shape, aotc_conv_2d_s8_layer);
  const output_range range = {layer.out_zero_point, layer.act_min, layer.act_max};
  int8_t *copied = static_cast<int8_t *>(scratch);
  const int32_t columns = (shape.block - 1) * shape.stride_w + 3;
  const int32_t last = shape.out_w - shape.block;

  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    for (int32_t done = 0; done < shape.out_w; done += shape.block) {
      const int32_t first =
          descending ? (last > done ? last - done : 0) : (done < last ? done : last);
      const int32_t column = first * shape.stride_w - shape.pad_left;
      const bool inside = !shape.padded || (window[0] && window[1] && window[2] && column >= 0 &&
                                            column + columns <= shape.in_w);
      const int32_t right = shape.in_w - column;
      const border edge = {columns, column < 0 ? -column : 0, right < columns ? right : columns};
      if (!inside)
        edge.fill(window, (int8_t)layer.in_zero_point, copied);
      int8_t *y = static_cast<int8_t *>(out[row]) + first * shape.channels;
      const int8_t *weights = static_cast<const int8_t *>(data[0]);
      const int32_t *words = static_cast<const int32_t *>(data[1]);
      for (int32_t c = 0; c < shape.channels; c += depthwise_channels) {
        window_rows x;
#pragma clang loop unroll(full)
        for (int32_t k = 0; k < 3; ++k) {
          x.row[k] = static_cast<const int8_t *>(window[k]) + (column * shape.channels + c);
          if (inside)
            continue;
          int8_t *to = copied + k * columns * depthwise_channels;
          if (window[k])
            edge.copy(x.row[k], shape.channels, to);
          x.row[k] = to;
        }
        x.step = inside ? shape.channels : depthwise_channels;
        const depthwise_group group(words);
        call_with_count<AOTC_DEPTHWISE_3X3_NEON_PIXELS>(
            shape.block, c, [&]<int32_t Pixels>(int32_t channel) AOTC_INLINED {
              int8x8_t results[Pixels];
              convolve<0, Pixels>(shape, range, x, weights, group, results);
#pragma clang loop unroll(full)
              for (int32_t p = 0; p < Pixels; ++p)
                vst1_s8(y + p * shape.channels + channel, results[p]);
            });
        weights += 10 * depthwise_channels;
        words += 2 * AOTC_NEON_CHANNEL_WORDS;
      }
    }
  }
}
