// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for Armv7-M: 3x3, one input channel, and
// any window.
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/thumb2/Thumb2.h"
#include "targets/arm_m/thumb2/kernels/depthwise_conv_2d_thumb2.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Conv.h"
#include "targets/generic/DepthwiseBlocks.h"

namespace aotc {

namespace {

/// How many outputs of a row to compute together; 0: the row is too narrow.
int64_t chooseBlock(int64_t outW, int64_t strideW) {
  int64_t best = 0, bestCost = 0;
  for (int64_t pixels = strideW == 1 ? 5 : 4; pixels >= 3; --pixels) {
    if (pixels > outW)
      continue;
    // Cycles of a block and channel.
    const int64_t cost = (outW + pixels - 1) / pixels * ((strideW == 1 ? 34 : 38) * pixels + 40);
    if (!best || cost < bestCost) {
      best = pixels;
      bestCost = cost;
    }
  }
  return best;
}

Thumb2Layer layerOf(const OperatorDesc &op, const KernelCall &portable) {
  return thumb2Layer(depthwiseChannels(op, portable), Thumb2Sums::bias,
                     int32_t(op.outputs[0].quant.zeroPoint()), depthwiseClamp(op));
}

std::string rejectTail(const OperatorDesc &op) {
  return rejectPrepared(depthwise_conv_2d_s8::prepare(op), [&](const KernelCall &portable) {
    return layerOf(op, portable).tail == aotc_thumb2_general ? "requantisation needs fixed_point.h"
                                                             : "";
  });
}

} // namespace

namespace depthwise_conv_2d_s8_3x3_thumb2 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwise3x3(op); !reason.empty())
    return reason;
  if (std::string reason = rejectColumns3(op); !reason.empty())
    return reason;
  if (!chooseBlock(op.outputs[0].shape[2], op.as<Conv2DOptions>().strideW))
    return "output is narrower than 3 pixels";
  return rejectTail(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const Thumb2Layer packed = layerOf(op, call);
  std::vector<int32_t> words;
  for (size_t c = 0; c < packed.channels.size(); ++c) {
    const auto &w = packed.channels[c].weights;
    for (int k = 0; k < 9; k += 2) {
      const int high = k < 8 ? w[k + 1] : 0;
      words.push_back(int32_t(uint32_t(uint16_t(256 * w[k])) | uint32_t(256 * high) << 16));
    }
    std::vector<int32_t> tail = packed.tailWords(c);
    if (packed.tail == aotc_thumb2_away)
      tail[3] *= 2;
    llvm::append_range(words, tail);
  }
  call.data = {wordData("weights", words), zeroPoints(op)};
  const auto &options = op.as<Conv2DOptions>();
  const auto outW = int32_t(op.outputs[0].shape[2]);
  const int64_t block = chooseBlock(outW, options.strideW);
  call.shape = paramWords(aotc_depthwise_conv_2d_3x3_thumb2_shape{
      int32_t(options.strideW), int32_t(block), int32_t(options.strideH), packed.tail,
      packed.fit.up});
  call.layer = paramWords(aotc_depthwise_conv_2d_3x3_thumb2_layer{
      int32_t(op.inputs[0].shape[2]), int32_t(op.inputs[0].shape[3]), int32_t(options.padding.left),
      outW});
  call.overlaps = depthwiseBlockOverlaps(op, block, 1);
  return call;
}

} // namespace depthwise_conv_2d_s8_3x3_thumb2

namespace depthwise_conv_2d_s8_thumb2 {

constexpr size_t group = 4; ///< channels computed together

std::string reject(const OperatorDesc &op) {
  std::string reason = rejectDepthwiseWindow(op, group);
  return reason.empty() ? rejectTail(op) : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareDepthwiseWindow(op, [&](const KernelCall &portable) {
    const Thumb2Layer packed = layerOf(op, portable);
    std::vector<int32_t> words;
    for (size_t first = 0; first < packed.channels.size(); first += group) {
      for (size_t c = first; c < first + group; ++c) {
        const std::vector<int32_t> tail = packed.tailWords(c);
        const bool fit = packed.tail == aotc_thumb2_fit; // the bias is part of its rounding
        words.insert(words.end(), {fit ? 0 : tail[3], tail[0], tail[1], fit ? 0 : tail[2]});
      }
      llvm::append_range(words, depthwiseTapWords(packed.channels, first));
    }
    return DepthwiseStream{packed.tail, packed.fit.up, wordData("weights", words)};
  });
}

} // namespace depthwise_conv_2d_s8_thumb2

namespace depthwise_conv_2d_s8_one_thumb2 {

std::string reject(const OperatorDesc &op) {
  return rejectSingleChannel(op, depthwise_conv_2d_s8::reject, conv_2d_s8_thumb2::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareSingleChannel(op, conv_2d_s8_thumb2::prepare, "aotc_conv_2d_s8__thumb2");
}

} // namespace depthwise_conv_2d_s8_one_thumb2

} // namespace aotc
