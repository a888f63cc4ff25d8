// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, any window, for Cortex-M: parameters, shared by host and
// device, and the walk over pixels that the levels share. One pixel at a time, for
// which scratch has the address of every tap at channel 0; taps outside the image
// point to a pixel of zero points. Sizes are layer words: layers share the code.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

/// How a level turns sums into outputs.
struct aotc_depthwise_window_shape {
  int32_t tail; ///< one of the level's own (*_stream.h)
  int32_t up;   ///< the shift of a fitted tail that offers several, else 0
};

/// data[0]: weights and tails, in groups of channels; the format is the level's.
/// data[1]: an input pixel of zero points, `channels` bytes.
/// scratch: aotc_depthwise_window_taps() addresses.
struct aotc_depthwise_window_layer {
  int32_t in_w, channels; ///< pixels of an input row, channels of a pixel
  int32_t out_w;          ///< pixels
  int32_t kernel_h, kernel_w;
  int32_t stride_h, stride_w;
  int32_t dilation_h, dilation_w;
  int32_t pad_left; ///< pixels
};

/// Addresses in scratch: an even number, for taps are computed in pairs. The host
/// refuses windows whose table is too large (rejectTapTable).
static inline int32_t aotc_depthwise_window_taps(int32_t kernel_h, int32_t kernel_w) {
  return (kernel_h * kernel_w + 1) & ~1;
}

/// Calls pixel(y, taps, end) for every pixel of the rows, in address order or its
/// reverse: y is its output, taps to end the addresses. `zero_points`: data[1].
template <typename Pixel>
static AOTC_INLINE void aotc_depthwise_window_walk(const aotc_depthwise_window_layer &layer,
                                                   const void *const *in, void *const *out,
                                                   const int8_t *zero_points, void *scratch,
                                                   int32_t rows, int32_t descending, Pixel pixel) {
  auto *const taps = static_cast<const int8_t **>(scratch);
  const int8_t **const end = taps + aotc_depthwise_window_taps(layer.kernel_h, layer.kernel_w);
  const int32_t channels = layer.channels;
  const uint32_t step = (uint32_t)layer.dilation_w * (uint32_t)channels;
  end[-1] = zero_points; // an absent one has a weight of 0
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *const window = in + row * layer.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
#pragma clang loop unroll(disable)
    for (int32_t j = 0; j < layer.out_w; ++j) {
      const int32_t at = aotc_directed(j, layer.out_w, descending);
      const int32_t origin = at * layer.stride_w - layer.pad_left;
      const int8_t **tap = taps;
#pragma clang loop unroll(disable)
      for (int32_t ky = 0; ky < layer.kernel_h; ++ky) {
        const auto *from = static_cast<const int8_t *>(window[ky * layer.dilation_h]);
        const auto width = from ? (uint32_t)layer.in_w : 0;
        // Outside the image it means nothing, and may wrap.
        auto offset = (uint32_t)origin * (uint32_t)channels;
        int32_t column = origin;
#pragma clang loop unroll(disable)
        for (int32_t kx = 0; kx < layer.kernel_w; ++kx) {
          *tap++ = (uint32_t)column < width ? from + offset : zero_points;
          offset += step;
          column += layer.dilation_w;
        }
      }
      pixel(y + at * channels, taps, end);
    }
  }
}
