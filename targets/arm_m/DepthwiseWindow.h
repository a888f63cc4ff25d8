// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host sides of DEPTHWISE_CONV_2D share on Cortex-M: the int8 rows for 3x3
// and for any window of all levels; with float32, the limit of a window.
#pragma once

#include "targets/Kernel.h"
#include "targets/generic/Channels.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace aotc {

/// The output channels of `op`; `portable`: what the portable kernel prepared.
std::vector<IntChannel> depthwiseChannels(const OperatorDesc &op, const KernelCall &portable);

/// Bounds of the output.
ClampRange depthwiseClamp(const OperatorDesc &op);

/// "" if a table of the window's taps fits scratch, whose offsets are 32 bits: fewer
/// than 2^16 taps. For operators the portable kernel takes.
std::string rejectTapTable(const OperatorDesc &op);

/// Of the int8 rows for any window, which compute `group` channels together: what they
/// refuse, and the portable kernel.
std::string rejectDepthwiseWindow(const OperatorDesc &op, int64_t group);

/// What `pack` makes of the portable kernel's call: the level's tail (words of the
/// shape) and stream. Overlaps are those of the portable kernel, for a group reads
/// before it writes, and groups follow one another as its channels do.
struct DepthwiseStream {
  int32_t tail = 0, up = 0;
  KernelData data;
};
llvm::Expected<KernelCall>
prepareDepthwiseWindow(const OperatorDesc &op,
                       llvm::function_ref<DepthwiseStream(const KernelCall &)> pack);

/// A word for each tap of four channels from `first` on, the first one lowest; an even
/// number.
std::vector<int32_t> depthwiseTapWords(const std::vector<IntChannel> &channels, size_t first);

} // namespace aotc
