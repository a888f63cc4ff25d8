// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of kernels/pixel_block.h: CONV_2D and DEPTHWISE_CONV_2D that copy the
// inputs of a block of output pixels to scratch.
#pragma once

#include "targets/generic/Conv.h"
#include "targets/generic/kernels/pixel_block.h"

namespace aotc {

/// The block: `pixels` output pixels, or as many as a row has. Runs are read `vector` elements at a
/// time, and multiplied `unit` at a time; whole rows where gathering saves little.
aotc_pixel_block_shape pixelBlock(const OperatorDesc &op, int32_t pixels, int32_t vector,
                                  int32_t unit);

/// Elements of scratch.
int64_t pixelBlockElements(const aotc_pixel_block_shape &shape);

/// How input and output may overlap: a block is read before any of it is written.
OverlapRule pixelBlockOverlap(const OperatorDesc &op, const KernelCall &call, int64_t block);

/// The layer's scratch has fewer elements than 32-bit offsets reach.
std::string rejectPixelBlock(const OperatorDesc &op);

} // namespace aotc
