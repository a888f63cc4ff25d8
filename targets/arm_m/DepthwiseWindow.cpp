// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/DepthwiseWindow.h"

#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Conv.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"

#include "llvm/ADT/STLExtras.h"

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

std::string rejectTapTable(const OperatorDesc &op) {
  const auto &w = op.inputs[1].shape;
  return w[1] * w[2] >= int64_t(1) << 16 ? "window is too large" : "";
}

std::string rejectDepthwiseWindow(const OperatorDesc &op, int64_t group) {
  if (std::string reason = depthwise_conv_2d_s8::reject(op); !reason.empty())
    return reason;
  if (op.as<Conv2DOptions>().depthMultiplier != 1)
    return "has a depth multiplier";
  if (op.inputs[0].shape[3] % group)
    return "channels are not a multiple of " + std::to_string(group);
  return rejectTapTable(op);
}

llvm::Expected<KernelCall>
prepareDepthwiseWindow(const OperatorDesc &op,
                       llvm::function_ref<DepthwiseStream(const KernelCall &)> pack) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto portable = paramsOf<aotc_depthwise_conv_2d_shape>(call.shape);
  DepthwiseStream stream = pack(call);
  call.data = {std::move(stream.data), zeroPoints(op)};
  call.shape = paramWords(aotc_depthwise_window_shape{stream.tail, stream.up});
  call.layer = paramWords(
      aotc_depthwise_window_layer{portable.in_w, portable.in_c, portable.out_w, portable.kernel_h,
                                  portable.kernel_w, portable.stride_h, portable.stride_w,
                                  portable.dilation_h, portable.dilation_w, portable.pad_left});
  llvm::append_range(call.layer, stream.layer);
  call.scratchBytes = 4 * aotc_depthwise_window_taps(portable.kernel_h, portable.kernel_w);
  return call;
}

std::vector<int32_t> depthwiseTapWords(const std::vector<IntChannel> &channels, size_t first) {
  const size_t taps = channels[first].weights.size();
  std::vector<int32_t> words;
  for (size_t tap = 0; tap < taps; ++tap) {
    uint32_t word = 0;
    for (size_t k = 0; k < aotc_depthwise_group; ++k)
      word |= uint32_t(uint8_t(channels[first + k].weights[tap])) << 8 * k;
    words.push_back(int32_t(word));
  }
  words.resize(taps + taps % 2);
  return words;
}

KernelData packDepthwiseGroups(
    const std::vector<IntChannel> &channels,
    llvm::function_ref<std::vector<int32_t>(size_t c)> tail,
    llvm::function_ref<std::vector<int32_t>(const std::vector<IntChannel> &, size_t first)>
        weights) {
  std::vector<int32_t> words;
  for (size_t first = 0; first < channels.size(); first += aotc_depthwise_group) {
    for (size_t c = first; c < first + aotc_depthwise_group; ++c)
      llvm::append_range(words, tail(c));
    llvm::append_range(words, weights(channels, first));
  }
  return wordData("weights", words);
}

} // namespace aotc
