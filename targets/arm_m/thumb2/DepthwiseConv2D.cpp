// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for Armv7-M: 3x3, one input channel, and
// any window.
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/arm_m/thumb2/Thumb2.h"
#include "targets/arm_m/thumb2/kernels/depthwise_conv_2d_thumb2.h"
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
  return rejectDepthwiseTail(op, [&](const KernelCall &portable) {
    return layerOf(op, portable).tail != aotc_thumb2_general;
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

std::string reject(const OperatorDesc &op) { return rejectDepthwiseGroups(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareDepthwiseGroups(op, [&](const KernelCall &portable) {
    const Thumb2Layer packed = layerOf(op, portable);
    DepthwiseSums sums = {packed.tail, packed.fit.up, packed.channels, {}};
    for (size_t c = 0; c < packed.channels.size(); ++c) {
      std::vector<int32_t> words = packed.tailWords(c);
      if (packed.tail == aotc_thumb2_general)
        words = generalDepthwiseTail(packed.channels[c]);
      else if (packed.tail == aotc_thumb2_fit)
        words = {0, words[0], words[1]}; // the bias is part of its rounding
      else
        words = {words[3], words[0], words[1], words[2]};
      words.resize(aotc_depthwise_shared_shift_words);
      sums.tails.push_back(std::move(words));
    }
    return sums;
  });
}

} // namespace depthwise_conv_2d_s8_thumb2

namespace depthwise_conv_2d_s8_few_thumb2 {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, aotc_depthwise_group - 1, depthwise_conv_2d_s8::reject,
                           conv_2d_s8_thumb2::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_thumb2::prepare, "aotc_conv_2d_s8__thumb2");
}

} // namespace depthwise_conv_2d_s8_few_thumb2

} // namespace aotc
