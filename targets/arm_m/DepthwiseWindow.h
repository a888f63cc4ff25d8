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

/// For reject(): "" if `hasTail` says that the level can turn the layer's sums into
/// outputs, of the call that the portable kernel prepared.
std::string rejectDepthwiseTail(const OperatorDesc &op,
                                llvm::function_ref<bool(const KernelCall &)> hasTail);

/// "" if a table of the window's taps fits scratch, whose offsets are 32 bits: fewer
/// than 2^16 taps. For operators the portable kernel takes.
std::string rejectTapTable(const OperatorDesc &op);

/// Of the int8 rows for any window, which compute `group` channels together: what they
/// refuse, and the portable kernel.
std::string rejectDepthwiseWindow(const OperatorDesc &op, int64_t group);

/// What `pack` makes of the portable kernel's call: the level's tail (words of the
/// shape), its stream, and the words of its layer behind aotc_depthwise_window_layer. Overlaps are
/// those of the portable kernel, for a group reads before it writes, and groups follow one another
/// as its channels do.
struct DepthwiseStream {
  int32_t tail = 0, up = 0;
  KernelData data;
  std::vector<int32_t> layer;
};
llvm::Expected<KernelCall>
prepareDepthwiseWindow(const OperatorDesc &op,
                       llvm::function_ref<DepthwiseStream(const KernelCall &)> pack);

/// A word for each tap of aotc_depthwise_group channels from `first` on, the first one
/// lowest; an even number.
std::vector<int32_t> depthwiseTapWords(const std::vector<IntChannel> &channels, size_t first);

/// The stream of levels that compute aotc_depthwise_group channels together: per group
/// tail(c) of each of its channels, then `weights` of its first one.
KernelData packDepthwiseGroups(
    const std::vector<IntChannel> &channels,
    llvm::function_ref<std::vector<int32_t>(size_t c)> tail,
    llvm::function_ref<std::vector<int32_t>(const std::vector<IntChannel> &, size_t first)>
        weights = depthwiseTapWords);

} // namespace aotc
