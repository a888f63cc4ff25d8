// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host sides of DEPTHWISE_CONV_2D share on Cortex-M: the int8 rows for 3x3
// and for any window of all levels.
#pragma once

#include "targets/Kernel.h"
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/generic/Channels.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>

namespace aotc {

/// The output channels of `op`; `portable`: what the portable kernel prepared.
std::vector<IntChannel> depthwiseChannels(const OperatorDesc &op, const KernelCall &portable);

/// Bounds of the output.
ClampRange depthwiseClamp(const OperatorDesc &op);

/// For reject(): "" if `hasTail` says that the level can turn the layer's sums into
/// outputs, of the call that the portable kernel prepared.
std::string rejectDepthwiseTail(const OperatorDesc &op,
                                llvm::function_ref<bool(const KernelCall &)> hasTail);

/// Of the int8 rows for any window: what they refuse, and the portable kernel.
std::string rejectDepthwiseWindow(const OperatorDesc &op);

/// The same of those that compute aotc_depthwise_group input channels together.
std::string rejectDepthwiseGroups(const OperatorDesc &op);

/// What `pack` makes of the portable kernel's call: the words of the shape, the level's
/// stream, and the words of its layer behind aotc_depthwise_window_layer. Overlaps are
/// those of the portable kernel, for a group of input channels reads before it writes, and groups
/// follow one another as its channels do. `group`: input channels computed together.
struct DepthwiseStream {
  int32_t tail = 0, up = 0;
  bool plain = true;
  KernelData data;
  std::vector<int32_t> layer;
};
llvm::Expected<KernelCall>
prepareDepthwiseWindow(const OperatorDesc &op, int64_t group,
                       llvm::function_ref<DepthwiseStream(const KernelCall &)> pack);

/// A layer's output channels and the words before the weights of each: the first value of
/// its sum, its tail.
struct DepthwiseSums {
  int32_t tail = 0, up = 0;
  std::vector<IntChannel> channels;
  std::vector<std::vector<int32_t>> tails;
};

/// The words of a channel whose tail is fixed_point.h: bias, mantissa, shift.
std::vector<int32_t> generalDepthwiseTail(const IntChannel &channel);

/// The output channels whose sums are formed together, of neighbouring input channels.
using DepthwiseGroup = std::array<const IntChannel *, aotc_depthwise_group>;

/// A word for each tap, the first channel's weight lowest; an even number.
std::vector<int32_t> depthwiseTapWords(const DepthwiseGroup &group);

/// The call of levels that compute aotc_depthwise_group input channels together. `level`
/// makes its sums of the portable kernel's call, `weights` the words of a group.
llvm::Expected<KernelCall> prepareDepthwiseGroups(
    const OperatorDesc &op, llvm::function_ref<DepthwiseSums(const KernelCall &)> level,
    llvm::function_ref<std::vector<int32_t>(const DepthwiseGroup &)> weights = depthwiseTapWords);

} // namespace aotc
