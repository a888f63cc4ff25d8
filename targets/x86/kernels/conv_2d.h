// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the convolutions on x86-64, shared by host and device, and the
// input of a block of pixels.
#pragma once

#include "targets/generic/kernels/window.h"

/// A block of neighbouring output pixels is computed at once. First the inputs
/// they need are copied to scratch, padding included: `runs` pieces, of which
/// each pixel reads `run_length` elements from pixel * pixel_step on.
struct aotc_conv_2d_x86_shape : aotc_window {
  int32_t padded;     ///< some tap lies outside the image, in a row or column
  int32_t block;      ///< output pixels of a block; the rest of a row is one more
  int32_t whole_rows; ///< 1: a run is a row of the block's window, pixels of
                      ///< which overlap; 0: one tap of every pixel
  int32_t runs, run_length;
  int32_t pixel_step, run_step; ///< elements in scratch
  int32_t requantize;           ///< s8: AOTC_REQUANTIZE_*
};

/// Of a block. More registers, more pixels: each has two vectors of sums.
enum { AOTC_CONV_2D_MOST_PIXELS = 6, AOTC_CONV_2D_MOST_PIXELS_VNNI = 8 };

// s8, AVX2: layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
// Output channels come in groups of 16, the last of 8 if no more are left;
// elements of a run in pairs; absent ones are 0.
// data[0]: weights, for each group, run and pair: (w[i], w[i + 1]) of each
//          channel, in the order of lanes.
// data[1]: words of the channels (requantize_s8.h).
// scratch: int16, times 4 unless AOTC_REQUANTIZE_ANY.
//
// s8, AVX-512 VNNI: groups of 32 channels, the last of 16 if no more are left;
// elements of a run in fours; absent ones are 0.
// data[0]: weights, for each group, run and four elements: (w[i] .. w[i + 3]) of each
//          channel.
// data[1]: words of each vector of 16 channels (bytes_vnni.h).
// scratch: the elements, 128 higher, as uint8.
//
// f32: layer: aotc_conv_2d_f32_layer. Groups of 2N channels for N lanes, the last of N
// if no more are left.
// data[0]: weights, for each group, run and element: w[i] of each channel.
// data[1]: biases, absent channels 0.
// scratch: floats.

#ifdef __AVX2__
#include "targets/generic/kernels/inline.h"

namespace {

/// Pixels first <= x < first + count of a row, those outside it as padding.
/// `row` null: all are. Copy: how elements get to scratch.
template <typename Copy, typename In, typename Wide>
AOTC_INLINE void copy_pixels(const aotc_conv_2d_x86_shape &shape, const Copy &copy, const In *row,
                             int32_t first, int32_t count, Wide *to) {
  if (!shape.padded) {
    copy(row + first * shape.in_c, to, count * shape.in_c);
    return;
  }
  int32_t begin = first < 0 ? -first : 0;
  int32_t end = shape.in_w - first;
  begin = begin < count ? begin : count;
  end = end < count ? end : count;
  if (!row || end < begin)
    begin = end = count;
  copy.pad(to, begin * shape.in_c);
  copy(row + (first + begin) * shape.in_c, to + begin * shape.in_c, (end - begin) * shape.in_c);
  copy.pad(to + end * shape.in_c, (count - end) * shape.in_c);
}

/// The inputs of output pixels x <= p < x + count.
template <typename In, typename Copy, typename Wide>
AOTC_INLINE void copy_block(const aotc_conv_2d_x86_shape &shape, const Copy &copy,
                            const void *const *window, int32_t x, int32_t count, Wide *to) {
  const int32_t first = x * shape.stride_w - shape.pad_left;
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky) {
    const In *row = static_cast<const In *>(window[ky * shape.dilation_h]);
    if (shape.whole_rows) {
      copy_pixels(shape, copy, row, first, (count - 1) * shape.stride_w + shape.kernel_w, to);
      to += shape.run_step;
      continue;
    }
    for (int32_t kx = 0; kx < shape.kernel_w; ++kx, to += shape.run_step)
      for (int32_t p = 0; p < count; ++p)
        copy_pixels(shape, copy, row, first + p * shape.stride_w + kx * shape.dilation_w, 1,
                    to + p * shape.pixel_step);
  }
}

/// Calls block(count as a type, first pixel) for the blocks of a row.
template <int32_t Count, typename Block>
AOTC_INLINE void call_with_count(int32_t count, int32_t x, const Block &block) {
  if constexpr (Count > 0) {
    if (count == Count)
      block.template operator()<Count>(x);
    else
      call_with_count<Count - 1>(count, x, block);
  }
}
template <int32_t Most = AOTC_CONV_2D_MOST_PIXELS, typename Block>
AOTC_INLINE void for_blocks(const aotc_conv_2d_x86_shape &shape, int32_t descending,
                            const Block &block) {
  const int32_t whole = shape.out_w / shape.block, rest = shape.out_w % shape.block;
  // First to last they begin at the row's beginning, else end at its end.
  const int32_t shift = descending ? rest : 0;
  for (int32_t i = 0; i < whole; ++i) {
    const int32_t x = aotc_directed(i, whole, descending) * shape.block + shift;
    call_with_count<Most>(shape.block, x, block);
  }
  if (rest)
    call_with_count<Most - 1>(rest, descending ? 0 : shape.out_w - rest, block);
}

} // namespace
#endif
