// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device side: the taps of a sliding window that lie inside a row, and the
// order in which rows and pixels are visited.
#pragma once

#include <stdint.h>

/// A window that slides over the rows of an image. Where the compiler merged all
/// pixels of a 1x1 convolution into one row, in_w = out_w = their number.
struct aotc_window {
  int32_t in_w, in_c;   ///< pixels of an input row, channels of a pixel
  int32_t out_w, out_c; ///< the same of the output
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w; ///< 1 where the kernel has one tap
  int32_t pad_left;               ///< pixels
};

/// Taps begin <= k < end of a window read pixels origin + k*dilation that lie
/// inside the row; the others are padding.
struct aotc_taps {
  int32_t begin, end;
};

/// The taps of `count` that lie in a row of `width` pixels. Constant dilations
/// make the divisions shifts or nothing.
static inline aotc_taps aotc_taps_inside(int32_t origin, int32_t count, int32_t dilation,
                                         int32_t width) {
  int32_t begin = origin < 0 ? (dilation - 1 - origin) / dilation : 0;
  int32_t end = origin < width ? (width - origin + dilation - 1) / dilation : 0;
  end = end > count ? count : end;
  return {begin > end ? end : begin, end};
}

/// How many of the rows a window reads, `step` apart, lie in the image.
static inline int32_t aotc_rows_present(const void *const *window, int32_t count, int32_t step) {
  int32_t present = 0;
  for (int32_t k = 0; k < count; ++k)
    present += window[k * step] != nullptr;
  return present;
}

/// The index-th of `count` things in the direction asked for.
static inline int32_t aotc_directed(int32_t index, int32_t count, int32_t descending) {
  return descending ? count - 1 - index : index;
}
