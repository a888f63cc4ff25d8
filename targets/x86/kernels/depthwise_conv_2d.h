// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the depthwise convolutions on x86-64, shared by host and device,
// and where a pixel's taps are.
#pragma once

#include "targets/generic/kernels/window.h"

struct aotc_depthwise_conv_2d_x86_shape : aotc_window {
  int32_t padded;     ///< some tap lies outside the image, in a row or column
  int32_t requantize; ///< s8: AOTC_REQUANTIZE_*
};

// s8, AVX2: layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
// Channels come in groups of 16, the last of 8 if no more are left, taps in
// pairs; absent ones are 0.
// data[0]: weights as int16, times 4 unless AOTC_REQUANTIZE_ANY, for each group
//          and pair (w[t], w[t + 1]) of channels 0-3, 8-11, 4-7, 12-15 (a group
//          of 8: 0-7).
// data[1]: words of the channels in that order (requantize_s8.h).
//
// s8, AVX-512 VNNI: channels come in groups of 64, the last of 32 or 16 if no more
// are left: four vectors, of the channels 0-3, 4-7, 8-11 and 12-15 of each sixteen.
// Taps come in fours; absent ones are 0.
// data[0]: for each group, four taps and vector: (w[t] .. w[t + 3]) of each channel.
// data[1]: words of each vector (bytes_vnni.h).
//
// f32: layer: aotc_conv_2d_f32_layer. Channels come in groups of N lanes.
// data[0]: for each group N biases, then N weights for each tap.
//
// scratch: a pointer to each tap, an even number of them (AVX-512 VNNI: a multiple of
// four); then, if padded, a pixel of padding.

#ifdef __AVX2__
#include "targets/generic/kernels/inline.h"

namespace {

/// True if no tap of the output pixel at column x is padding.
AOTC_INLINE bool taps_inside(const aotc_depthwise_conv_2d_x86_shape &shape, bool rows_inside,
                             int32_t x) {
  const int32_t first = x * shape.stride_w - shape.pad_left;
  return !shape.padded || (rows_inside && first >= 0 &&
                           first + (shape.kernel_w - 1) * shape.dilation_w < shape.in_w);
}

/// Pointers to the taps of the output pixel at column x, in the order of the
/// weights; the first one again, up to a multiple of Multiple.
template <int32_t Multiple, typename T>
AOTC_INLINE void find_taps(const aotc_depthwise_conv_2d_x86_shape &shape, const void *const *window,
                           int32_t x, const T *padding, const T **taps) {
  const int32_t first = x * shape.stride_w - shape.pad_left;
  const T **next = taps;
  for (int32_t ky = 0; ky < shape.kernel_h; ++ky) {
    const T *row = static_cast<const T *>(window[ky * shape.dilation_h]);
    for (int32_t kx = 0; kx < shape.kernel_w; ++kx) {
      const int32_t column = first + kx * shape.dilation_w;
      const bool inside = !shape.padded || (row && column >= 0 && column < shape.in_w);
      *next++ = inside ? row + column * shape.in_c : padding;
    }
  }
  while ((next - taps) % Multiple)
    *next++ = taps[0];
}

/// do_group(first channel, how many) for each Group channels of a pixel; whole
/// ones get a constant.
template <int32_t Group, typename Do>
AOTC_INLINE void for_groups(const aotc_depthwise_conv_2d_x86_shape &shape, int32_t descending,
                            const Do &do_group) {
  const int32_t whole = shape.in_c / Group, rest = shape.in_c % Group;
  if (rest && descending)
    do_group(whole * Group, rest);
  for (int32_t i = 0; i < whole; ++i)
    do_group(aotc_directed(i, whole, descending) * Group, Group);
  if (rest && !descending)
    do_group(whole * Group, rest);
}

} // namespace
#endif
