// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/DepthwiseWindow.h"

#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Conv.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace aotc {

std::vector<IntChannel> depthwiseChannels(const OperatorDesc &op, const KernelCall &portable) {
  return intChannels(op.inputs[1].constant, op.outputs[0].shape[3], portable.data[1].bytes,
                     portable.data[2].bytes, /*depthwise=*/true);
}

ClampRange depthwiseClamp(const OperatorDesc &op) {
  return quantizedClamp(op.as<Conv2DOptions>().activation, op.outputs[0]);
}

std::string rejectDepthwiseTail(const OperatorDesc &op,
                                llvm::function_ref<bool(const KernelCall &)> hasTail) {
  return rejectPrepared(depthwise_conv_2d_s8::prepare(op), [&](const KernelCall &portable) {
    return hasTail(portable) ? "" : "requantisation needs fixed_point.h";
  });
}

std::string rejectDepthwiseWindow(const OperatorDesc &op) {
  std::string reason = depthwise_conv_2d_s8::reject(op);
  return reason.empty() ? rejectTapTable(op) : reason;
}

std::string rejectDepthwiseGroups(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwiseWindow(op); !reason.empty())
    return reason;
  return op.inputs[0].shape[3] < aotc_depthwise_group
             ? "fewer than " + std::to_string(aotc_depthwise_group) + " input channels"
             : "";
}

llvm::Expected<KernelCall>
prepareDepthwiseWindow(const OperatorDesc &op, int64_t group,
                       llvm::function_ref<DepthwiseStream(const KernelCall &)> pack) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto portable = paramsOf<aotc_depthwise_conv_2d_shape>(call.shape);
  DepthwiseStream stream = pack(call);
  call.data = {std::move(stream.data), zeroPoints(op)};
  call.shape = paramWords(aotc_depthwise_window_shape{stream.tail, stream.up, stream.plain});
  call.layer = paramWords(aotc_depthwise_window_layer{portable, portable.multiplier});
  llvm::append_range(call.layer, stream.layer);
  call.scratchBytes = 4 * aotc_depthwise_window_taps(portable.kernel_h, portable.kernel_w);
  if (portable.multiplier > 1)
    call.scratchBytes += group * portable.multiplier;
  return call;
}

std::vector<int32_t> generalDepthwiseTail(const IntChannel &channel) {
  return {channel.bias, channel.multiplier.mantissa, channel.multiplier.shift};
}

std::vector<int32_t> depthwiseTapWords(const DepthwiseGroup &group) {
  const size_t taps = group[0]->weights.size();
  std::vector<int32_t> words;
  for (size_t tap = 0; tap < taps; ++tap) {
    uint32_t word = 0;
    for (size_t k = 0; k < group.size(); ++k)
      word |= uint32_t(uint8_t(group[k]->weights[tap])) << 8 * k;
    words.push_back(int32_t(word));
  }
  words.resize(taps + taps % 2);
  return words;
}

llvm::Expected<KernelCall>
prepareDepthwiseGroups(const OperatorDesc &op,
                       llvm::function_ref<DepthwiseSums(const KernelCall &)> level,
                       llvm::function_ref<std::vector<int32_t>(const DepthwiseGroup &)> weights) {
  constexpr int64_t group = aotc_depthwise_group;
  return prepareDepthwiseWindow(op, group, [&](const KernelCall &portable) {
    const DepthwiseSums sums = level(portable);
    const auto shape = paramsOf<aotc_depthwise_conv_2d_shape>(portable.shape);
    std::vector<int32_t> words;
    for (int64_t c = 0; c < shape.in_c; c += group)
      for (int64_t j = 0; j < shape.multiplier; ++j) {
        // The last group overlaps the one before.
        const int64_t first = std::min(c, shape.in_c - group) * shape.multiplier + j;
        DepthwiseGroup channels;
        for (int64_t k = 0; k < group; ++k) {
          const int64_t channel = first + k * shape.multiplier;
          channels[k] = &sums.channels[channel];
          llvm::append_range(words, sums.tails[channel]);
        }
        llvm::append_range(words, weights(channels));
      }
    const ClampRange range = depthwiseClamp(op);
    // The words of aotc_depthwise_groups_layer behind the window.
    return DepthwiseStream{sums.tail,
                           sums.up,
                           shape.multiplier == 1 && shape.in_c % group == 0,
                           wordData("weights", words),
                           {int32_t(op.outputs[0].quant.zeroPoint()), range.min, range.max}};
  });
}

} // namespace aotc
