// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far input and output of a kernel must lie apart, from the order in which
// its device code reads and writes (targets/Kernel.h, OverlapRule). A read and
// the bytes written before it decide: "first to last" they lie at or above it,
// so that the smallest distance is the largest `written - read` over all reads;
// "last to first" is its mirror image.
#pragma once

#include "targets/Kernel.h"

namespace aotc {

/// What a kernel over pixels reads and writes, in which order. Rows come in the
/// order of the row loop (also within a block of rows), pixels and channels of
/// a row first to last, or all of them last to first.
struct PixelWalk {
  RowGeometry rows;                  ///< all but blockRows, maxBlockRows
  int64_t inWidth = 1, outWidth = 1; ///< pixels of a row
  int64_t outChannels = 1;           ///< of a pixel
  /// Channels fall into as many groups, each of which reads only its part of
  /// the input pixels. A channel is written before the next one is read.
  int64_t groups = 1;
  int64_t kernelW = 1, dilationH = 1, dilationW = 1;
  int64_t strideW = 1, padLeft = 0;
  /// 0: as above. Else so many neighbouring pixels are read completely before
  /// any of them is written, and what is left of a row after them, one by one
  /// or `restAtOnce`; last to first, the blocks end at the row's end.
  int64_t pixelsAtOnce = 0;
  bool restAtOnce = false;
  /// A pixel of one group only: so many neighbouring channels are written
  /// after the last of them has read. They are counted from the pixel's first
  /// channel in both directions; the last ones may be fewer.
  int64_t channelsAtOnce = 1;
};

/// `pixels` pixels of so many bytes, each computed from the one of the same
/// number.
PixelWalk pixelByPixel(int64_t pixels, int64_t inPixelBytes, int64_t outPixelBytes,
                       int64_t outChannels);

/// Both distances, the smallest that all larger ones also satisfy.
OverlapRule overlapOf(const PixelWalk &walk);

/// A distance that allows any place: nothing is read after the first write.
int64_t anyDistance(int64_t inBytes, int64_t outBytes);

} // namespace aotc
