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

/// Channels computed together on all levels but that of Helium.
static constexpr int32_t aotc_depthwise_group = 4;

/// How a level turns sums into outputs.
struct aotc_depthwise_window_shape {
  int32_t tail; ///< one of the level's own (*_stream.h)
  int32_t up;   ///< the shift of a fitted tail that offers several, else 0
  /// Depth multiplier 1; of all levels but Helium's also channels a multiple of the group.
  int32_t plain;
};

/// data[0]: weights and tails, for each group of input channels as many times as the
/// depth multiplier says: the first outputs of its channels, their second ones, ...
/// The format is the level's.
/// data[1]: an input pixel of zero points.
/// scratch: aotc_depthwise_window_taps() addresses, then a group's outputs if the
/// multiplier is above 1.
struct aotc_depthwise_window_layer : aotc_window {
  int32_t multiplier; ///< output channels per input channel
};

/// Of the levels that compute aotc_depthwise_group channels together.
struct aotc_depthwise_groups_layer {
  aotc_depthwise_window_layer window;
  int32_t out_zero_point, act_min, act_max; ///< for a tail that is fixed_point.h itself
};

/// Words before the weights of each channel, of Armv7-M and Armv7E-M
/// (depthwise_shared_shift.h).
static constexpr int32_t aotc_depthwise_shared_shift_words = 4;

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
  const int32_t channels = layer.in_c;
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
      pixel(y + at * layer.out_c, taps, end);
    }
  }
}

/// The stream's parts of groups in the order in which they are visited.
struct aotc_depthwise_stream {
  const int32_t *first;
  int32_t words; ///< of a part
  int32_t next;  ///< from group to group

  AOTC_INLINE aotc_depthwise_stream(const aotc_depthwise_window_layer &layer, const void *stream,
                                    int32_t words, int32_t descending)
      : first(static_cast<const int32_t *>(stream)), words(words), next(words * layer.multiplier) {
    if (descending) {
      first += (layer.in_c - 1) / aotc_depthwise_group * next;
      next = -next;
    }
  }
};

/// The groups of a pixel, whose output is y, in address order or its reverse. Calls
/// compute(to, step, skip, c, p) for input channels c ... c + 3: p is the part of the
/// stream, output k goes to to[k * step]. The last group overlaps the one before where
/// channels are no multiple of it: its first `skip` outputs are not stored. `results`:
/// scratch behind the taps. A group reads all before it writes.
template <typename Compute>
static AOTC_INLINE void
aotc_depthwise_walk_groups(const aotc_depthwise_window_layer &layer, int32_t plain,
                           const aotc_depthwise_stream &stream, int32_t descending, int8_t *y,
                           int8_t *results, Compute compute) {
  constexpr int32_t group = aotc_depthwise_group;
  const int32_t channels = layer.in_c, multiplier = layer.multiplier;
  const int32_t *p = stream.first;
  if (plain) {
#pragma clang loop unroll(disable)
    for (int32_t i = 0; i < channels; i += group, p += stream.next) {
      const int32_t c = descending ? channels - group - i : i;
      compute(y + c, 1, 0, c, p);
    }
    return;
  }
  const int32_t groups = (channels + group - 1) / group;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < groups; ++i, p += stream.next) {
    const int32_t begin = group * aotc_directed(i, groups, descending);
    const int32_t c = begin < channels - group ? begin : channels - group, skip = begin - c;
    int8_t *const to = multiplier == 1 ? y + c : results;
#pragma clang loop unroll(disable)
    for (int32_t j = 0; j < multiplier; ++j)
      compute(to + j, multiplier, skip, c, p + j * stream.words);
    if (multiplier > 1)
      __builtin_memcpy(y + begin * multiplier, results + skip * multiplier,
                       (uint32_t)((group - skip) * multiplier));
  }
}
