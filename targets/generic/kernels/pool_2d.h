// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the AVERAGE_POOL_2D and MAX_POOL_2D row kernels, shared by host
// and device. No data blobs. Every window has a tap inside the image.
#pragma once

#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

#include <stdint.h>

struct aotc_pool_2d_shape {
  int32_t in_w, channels; ///< pixels of an input row, channels of a pixel
  int32_t out_w;
  int32_t filter_h, filter_w;
  int32_t stride_h, stride_w;
  int32_t pad_left; ///< pixels
  int32_t padded;   ///< some tap lies outside the image, in a row or column
};

struct aotc_pool_2d_s8_layer {
  int32_t act_min, act_max;
};

struct aotc_pool_2d_f32_layer {
  int32_t act_min_bits, act_max_bits;
};

/// Device side: what of the image lies in the window of an output pixel.
struct aotc_pool_window {
  const void *const *rows; ///< filter_h of them; of a padded shape, null outside the image
  int32_t rows_present;
  int32_t first;   ///< element of every row: the first channel of the first tap
  int32_t columns; ///< taps of a row
};

/// pixel(window, to) for all output pixels in the order of `descending`; `to`: the
/// pixel's channels.
template <typename Element, typename Pixel>
AOTC_INLINE void aotc_pool_walk(const aotc_pool_2d_shape &shape, const void *const *in,
                                void *const *out, int32_t rows, int32_t descending, Pixel pixel) {
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t y = aotc_directed(i, rows, descending);
    const void *const *window = in + y * shape.stride_h;
    auto *out_row = static_cast<Element *>(out[y]);
    const int32_t present =
        shape.padded ? aotc_rows_present(window, shape.filter_h, 1) : shape.filter_h;
#pragma clang loop unroll(disable)
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      const int32_t origin = x * shape.stride_w - shape.pad_left;
      const aotc_taps taps = shape.padded ? aotc_taps_inside(origin, shape.filter_w, 1, shape.in_w)
                                          : aotc_taps{0, shape.filter_w};
      pixel(aotc_pool_window{window, present, (origin + taps.begin) * shape.channels,
                             taps.end - taps.begin},
            out_row + x * shape.channels);
    }
  }
}
