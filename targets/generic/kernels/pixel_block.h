// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of neighbouring output pixels is computed at once: first the inputs of
// their windows are copied to scratch, padding included, so that what follows is
// one loop over weights, whatever the window. Shared by host and device.
#pragma once

#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

struct aotc_pixel_block_shape : aotc_window {
  int32_t padded; ///< some tap lies outside the image, in a row or column
  int32_t block;  ///< output pixels of a block; the rest of a row is one more

  /// Scratch holds `runs` pieces, run_step elements apart; each pixel reads
  /// run_length elements of every run from pixel * pixel_step on.
  /// whole_rows = 1: a run is a row of the block's window, where pixels overlap;
  /// 0: one run holds the window of every pixel, taps one after the other.
  int32_t whole_rows;
  int32_t runs, run_length;
  int32_t pixel_step, run_step;
};

namespace {

/// How int8 elements get to scratch.
struct copy_bytes {
  int8_t padding;

  template <int32_t Size>
  AOTC_INLINE void part(const int8_t *from, int8_t *to, int32_t count) const {
    // Two that overlap, for Size to 2 * Size bytes.
    __builtin_memcpy(to, from, Size);
    __builtin_memcpy(to + count - Size, from + count - Size, Size);
  }
  AOTC_INLINE void operator()(const int8_t *from, int8_t *to, int32_t count) const {
    if (count >= 16) {
#pragma clang loop unroll_count(2)
      for (int32_t i = 0; i + 16 <= count; i += 16)
        __builtin_memcpy(to + i, from + i, 16);
      if (count % 16)
        __builtin_memcpy(to + count - 16, from + count - 16, 16);
    } else if (count >= 8) {
      part<8>(from, to, count);
    } else if (count >= 4) {
      part<4>(from, to, count);
    } else if (count >= 2) {
      part<2>(from, to, count);
    } else if (count == 1) {
      *to = *from;
    }
  }
  AOTC_INLINE void pad(int8_t *to, int32_t count) const {
    for (int32_t i = 0; i < count; ++i)
      to[i] = padding;
  }
};

/// Pixels first <= x < first + count of a row, those outside it as padding.
/// `row` null: all are. Copy: how elements get to scratch.
template <typename Copy, typename T, typename Wide>
AOTC_INLINE void copy_pixels(const aotc_pixel_block_shape &shape, const Copy &copy, const T *row,
                             int32_t first, int32_t count, Wide *to) {
  if (!shape.padded || (row && first >= 0 && first + count <= shape.in_w)) {
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
template <typename T, typename Copy, typename Wide>
AOTC_INLINE void copy_block(const aotc_pixel_block_shape &shape, const Copy &copy,
                            const void *const *window, int32_t x, int32_t count, Wide *to) {
  const int32_t first = x * shape.stride_w - shape.pad_left;
  // A window's taps in one row, neighbours together.
  const int32_t pieces = shape.dilation_w == 1 ? 1 : shape.kernel_w;
  const int32_t taps = shape.dilation_w == 1 ? shape.kernel_w : 1;
  const int32_t extent = (shape.kernel_w - 1) * shape.dilation_w + 1;
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky) {
    const T *row = static_cast<const T *>(window[ky * shape.dilation_h]);
    if (shape.whole_rows) {
      copy_pixels(shape, copy, row, first, (count - 1) * shape.stride_w + extent,
                  to + ky * shape.run_step);
      continue;
    }
    for (int32_t piece = 0; piece < pieces; ++piece, to += taps * shape.in_c)
      for (int32_t p = 0; p < count; ++p)
        copy_pixels(shape, copy, row, first + p * shape.stride_w + piece * shape.dilation_w, taps,
                    to + p * shape.pixel_step);
  }
}

/// Calls block(count as a type, first pixel) for the blocks of a row, of `Most`
/// pixels or fewer.
template <int32_t Count, typename Block>
AOTC_INLINE void call_with_count(int32_t count, int32_t x, const Block &block) {
  if constexpr (Count > 0) {
    if (count == Count)
      block.template operator()<Count>(x);
    else
      call_with_count<Count - 1>(count, x, block);
  }
}
template <int32_t Most, typename Block>
AOTC_INLINE void for_blocks(const aotc_pixel_block_shape &shape, int32_t descending,
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

/// compute<pixels>(their copied inputs, where the results go) for all blocks of
/// `rows` rows.
template <int32_t Most, typename T, typename Copy, typename Wide, typename Compute>
AOTC_INLINE void for_copied_blocks(const aotc_pixel_block_shape &shape, const Copy &copy,
                                   const void *const *in, void *const *out, Wide *copied,
                                   int32_t rows, int32_t descending, const Compute &compute) {
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * shape.stride_h;
    T *y = static_cast<T *>(out[row]);
    for_blocks<Most>(shape, descending, [&]<int32_t Pixels>(int32_t x) AOTC_INLINED {
      copy_block<T>(shape, copy, window, x, Pixels, copied);
      compute.template operator()<Pixels>(copied, y + x * shape.out_c);
    });
  }
}

} // namespace
