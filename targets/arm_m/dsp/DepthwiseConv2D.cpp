// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for Armv7E-M: 3x3, and any window.
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/dsp/Dsp.h"
#include "targets/arm_m/dsp/kernels/depthwise_conv_2d_dsp.h"
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/generic/Conv.h"
#include "targets/generic/DepthwiseBlocks.h"

#include <algorithm>

namespace aotc {

namespace {

/// How many outputs of a row to compute together; 0: the row is too narrow.
int64_t chooseBlock(int64_t outW, int64_t strideW) {
  int64_t best = 0, bestCost = 0;
  for (int64_t pixels = strideW == 1 ? 6 : 4; pixels >= 3; --pixels) {
    if (pixels > outW)
      continue;
    // Cycles of a block, up to a factor.
    const int64_t cost = (outW + pixels - 1) / pixels * (24 * pixels + 20);
    if (!best || cost < bestCost) {
      best = pixels;
      bestCost = cost;
    }
  }
  return best;
}

DspLayer layerOf(const OperatorDesc &op, const KernelCall &portable) {
  return dspLayer(depthwiseChannels(op, portable), int32_t(op.outputs[0].quant.zeroPoint()),
                  depthwiseClamp(op));
}

std::string rejectTail(const OperatorDesc &op) {
  return rejectDepthwiseTail(op, [&](const KernelCall &portable) {
    return layerOf(op, portable).tail.kind != aotc_dsp_general;
  });
}

/// Weights of a group as depthwise_conv_2d_s8__dsp.cpp has them: two taps of two
/// channels to a word.
std::vector<int32_t> pairWords(const DepthwiseGroup &group) {
  const size_t taps = group[0]->weights.size();
  auto weight = [&](size_t k, size_t tap) {
    return tap < taps ? uint32_t(uint8_t(group[k]->weights[tap])) : 0;
  };
  std::vector<int32_t> words;
  for (size_t tap = 0; tap < taps; tap += 2)
    for (size_t k = 0; k < group.size(); k += 2)
      words.push_back(int32_t(weight(k, tap) | weight(k + 1, tap) << 8 | weight(k, tap + 1) << 16 |
                              weight(k + 1, tap + 1) << 24));
  return words;
}

} // namespace

namespace depthwise_conv_2d_s8_3x3_dsp {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwise3x3(op); !reason.empty())
    return reason;
  if (std::string reason = rejectColumns3(op); !reason.empty())
    return reason;
  if (op.inputs[0].shape[3] % aotc_depthwise_group)
    return "channels are not a multiple of 4";
  if (!chooseBlock(op.outputs[0].shape[2], op.as<Conv2DOptions>().strideW))
    return "output is narrower than 3 pixels";
  return rejectTail(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const DspLayer packed = layerOf(op, call);
  DspStream stream;
  for (size_t c = 0; c < packed.channels.size(); ++c) {
    const DspParameters p = dspParameters(packed, c);
    stream.word(256 * uint32_t(p.start));
    const auto &w = packed.channels[c].weights;
    for (int k = 0; k < 9; k += 3) {
      stream.halves(256 * w[k], 256 * w[k + 1]);
      stream.halves(256 * w[k + 1], 256 * w[k + 2]);
    }
    for (int i = 0; i < (packed.tail.kind == aotc_dsp_fit ? 2 : 3); ++i)
      stream.word(uint32_t(p.words[i]));
  }
  call.data = {wordData("weights", stream.all())};

  const auto &options = op.as<Conv2DOptions>();
  const auto outW = int32_t(op.outputs[0].shape[2]);
  const int64_t block = op.optimize == Optimize::size ? 3 : chooseBlock(outW, options.strideW);
  call.shape = paramWords(aotc_depthwise_conv_2d_3x3_dsp_shape{
      int32_t(options.strideW), int32_t(block), int32_t(options.strideH), packed.tail.kind,
      packed.tail.up});
  call.layer = paramWords(aotc_depthwise_conv_2d_3x3_dsp_layer{
      int32_t(op.inputs[0].shape[2]), int32_t(op.inputs[0].shape[3]), int32_t(options.padding.left),
      outW, int32_t(op.inputs[0].quant.zeroPoint())});
  call.scratchBytes =
      4 * aotc_depthwise_group * 3 * aotc_depthwise_pairs(int32_t(options.strideW), int32_t(block));
  call.overlaps = depthwiseBlockOverlaps(op, block, aotc_depthwise_group);
  return call;
}

} // namespace depthwise_conv_2d_s8_3x3_dsp

namespace depthwise_conv_2d_s8_dsp {

std::string reject(const OperatorDesc &op) { return rejectDepthwiseGroups(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  auto level = [&](const KernelCall &portable) {
    const DspLayer packed = layerOf(op, portable);
    DepthwiseSums sums = {packed.tail.kind, packed.tail.up, packed.channels, {}};
    for (size_t c = 0; c < packed.channels.size(); ++c) {
      const DspParameters p = dspParameters(packed, c);
      std::vector<int32_t> words = {p.start, p.words[0], p.words[1], p.words[2]};
      if (packed.tail.kind == aotc_dsp_general)
        words = generalDepthwiseTail(packed.channels[c]);
      words.resize(aotc_depthwise_shared_shift_words);
      sums.tails.push_back(std::move(words));
    }
    return sums;
  };
  return prepareDepthwiseGroups(op, level, pairWords);
}

} // namespace depthwise_conv_2d_s8_dsp

} // namespace aotc
