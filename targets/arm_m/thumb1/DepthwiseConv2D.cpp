// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for Armv6-M: 3x3, one input channel, and
// any window.
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/arm_m/thumb1/Thumb1.h"
#include "targets/arm_m/thumb1/kernels/depthwise_conv_2d_thumb1.h"
#include "targets/generic/Conv.h"
#include "targets/generic/DepthwiseBlocks.h"

#include "llvm/ADT/STLExtras.h"

namespace aotc {

namespace {

/// How many outputs of a row to compute together.
int64_t chooseBlock(int64_t outW, int64_t strideW, aotc_thumb1_tail tail) {
  int64_t best = 1, bestCost = INT64_MAX;
  for (int64_t pixels = strideW == 1 && tail == aotc_thumb1_fit ? 6 : 4; pixels > 0; --pixels) {
    if (pixels > outW)
      continue;
    // Cycles of a block and channel.
    const int64_t cost = (outW + pixels - 1) / pixels * ((strideW == 1 ? 48 : 54) * pixels + 100);
    if (cost < bestCost) {
      best = pixels;
      bestCost = cost;
    }
  }
  return best;
}

std::optional<Thumb1Layer> layerOf(const OperatorDesc &op, const KernelCall &portable) {
  return thumb1Layer(depthwiseChannels(op, portable), int32_t(op.outputs[0].quant.zeroPoint()),
                     depthwiseClamp(op));
}

std::string rejectTail(const OperatorDesc &op) {
  return rejectDepthwiseTail(
      op, [&](const KernelCall &portable) { return layerOf(op, portable).has_value(); });
}

} // namespace

namespace depthwise_conv_2d_s8_3x3_thumb1 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwise3x3(op); !reason.empty())
    return reason;
  if (std::string reason = rejectColumns3(op); !reason.empty())
    return reason;
  return rejectTail(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const Thumb1Layer packed = *layerOf(op, call); // reject() found it
  const auto zero = int32_t(op.inputs[0].quant.zeroPoint());
  std::vector<int32_t> words;
  for (size_t c = 0; c < packed.channels.size(); ++c) {
    const std::vector<int8_t> &w = packed.channels[c].weights;
    words.push_back(packed.tails[c].start);
    for (int k = 0; k < 9; k += 3)
      words.push_back(int32_t(uint32_t(uint8_t(w[k])) | uint32_t(uint8_t(w[k + 1])) << 8 |
                              uint32_t(uint8_t(w[k + 2])) << 24));
    words.push_back(zero * (w[0] + w[3] + w[6]));
    words.push_back(zero * (w[2] + w[5] + w[8]));
    for (int32_t word : thumb1TailWords(packed, c))
      words.push_back(word);
  }
  call.data = {wordData("weights", words), zeroPoints(op)};
  const auto &options = op.as<Conv2DOptions>();
  const auto channels = int32_t(op.inputs[0].shape[3]), outW = int32_t(op.outputs[0].shape[2]);
  const int64_t block = chooseBlock(outW, options.strideW, packed.kind);
  call.shape = paramWords(aotc_depthwise_conv_2d_3x3_thumb1_shape{
      int32_t(options.strideW), int32_t(block), int32_t(options.strideH), packed.kind});
  call.layer = paramWords(aotc_depthwise_conv_2d_3x3_thumb1_layer{
      int32_t(op.inputs[0].shape[2]), channels, int32_t(options.padding.left), outW});
  call.overlaps = depthwiseBlockOverlaps(op, block, 1);
  return call;
}

} // namespace depthwise_conv_2d_s8_3x3_thumb1

namespace depthwise_conv_2d_s8_thumb1 {

std::string reject(const OperatorDesc &op) { return rejectDepthwiseGroups(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareDepthwiseGroups(op, [&](const KernelCall &portable) {
    const std::optional<Thumb1Layer> packed = layerOf(op, portable);
    if (!packed) {
      DepthwiseSums sums = {aotc_thumb1_general, 0, depthwiseChannels(op, portable), {}};
      for (const IntChannel &channel : sums.channels)
        sums.tails.push_back(generalDepthwiseTail(channel));
      return sums;
    }
    DepthwiseSums sums = {packed->kind, 0, packed->channels, {}};
    for (size_t c = 0; c < packed->channels.size(); ++c) {
      std::vector<int32_t> words = {packed->tails[c].start};
      llvm::append_range(words, thumb1TailWords(*packed, c));
      sums.tails.push_back(std::move(words));
    }
    return sums;
  });
}

} // namespace depthwise_conv_2d_s8_thumb1

namespace depthwise_conv_2d_s8_few_thumb1 {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, aotc_depthwise_group - 1, depthwise_conv_2d_s8::reject,
                           conv_2d_s8_gather_thumb1::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_gather_thumb1::prepare,
                            "aotc_conv_2d_s8_gather__thumb1");
}

} // namespace depthwise_conv_2d_s8_few_thumb1

} // namespace aotc
