// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fast depthwise convolutions share on the host: sizes, and how closely
// input and output may lie where some channels of some pixels are computed
// together.
#pragma once

#include "targets/Kernel.h"

namespace aotc {

/// The sizes of a DEPTHWISE_CONV_2D the portable kernel accepts.
struct DepthwiseLayer {
  const OperatorDesc &op;
  const Conv2DOptions &options;
  int64_t batches, inH, inW, channels, outH, outW; ///< channels: of the input
  int64_t extentH, extentW;                        ///< of the window, dilation included

  explicit DepthwiseLayer(const OperatorDesc &op);
};

/// Distances of a kernel that visits rows and blocks of `block` pixels in either
/// direction, of each block `group` channels at a time first to last: the window of
/// a group is read before any of it is written. The last block of a row moves back
/// into it. Offered are any distance, and multiples of a pixel, where a group
/// overwrites only itself. Depth multiplier 1.
std::vector<OverlapRule> depthwiseOverlaps(const DepthwiseLayer &layer, int64_t block,
                                           int64_t group);

} // namespace aotc
