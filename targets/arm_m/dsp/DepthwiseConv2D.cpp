// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for Armv7E-M: 3x3, and any window.
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/dsp/Dsp.h"
#include "targets/arm_m/dsp/kernels/depthwise_conv_2d_dsp.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Conv.h"
#include "targets/generic/DepthwiseBlocks.h"

#include <algorithm>

namespace aotc {

namespace {

/// Channels computed together.
constexpr int64_t group = 4;

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
  return rejectPrepared(depthwise_conv_2d_s8::prepare(op), [&](const KernelCall &portable) {
    return layerOf(op, portable).tail.kind == aotc_dsp_general
               ? "requantisation needs fixed_point.h"
               : "";
  });
}

} // namespace

namespace depthwise_conv_2d_s8_3x3_dsp {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwise3x3(op); !reason.empty())
    return reason;
  if (std::string reason = rejectColumns3(op); !reason.empty())
    return reason;
  if (op.inputs[0].shape[3] % group)
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
      4 * group * 3 * aotc_depthwise_pairs(int32_t(options.strideW), int32_t(block));
  call.overlaps = depthwiseBlockOverlaps(op, block, group);
  return call;
}

} // namespace depthwise_conv_2d_s8_3x3_dsp

namespace depthwise_conv_2d_s8_dsp {

std::string reject(const OperatorDesc &op) {
  std::string reason = rejectDepthwiseWindow(op, group);
  return reason.empty() ? rejectTail(op) : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareDepthwiseWindow(op, [&](const KernelCall &portable) {
    const DspLayer packed = layerOf(op, portable);
    DspStream stream;
    for (size_t first = 0; first < packed.channels.size(); first += group) {
      for (size_t c = first; c < first + group; ++c) {
        const DspParameters p = dspParameters(packed, c);
        stream.word(uint32_t(p.start));
        for (int32_t word : p.words)
          stream.word(uint32_t(word));
      }
      const size_t taps = packed.channels[first].weights.size();
      auto weight = [&](size_t c, size_t tap) {
        return tap < taps ? uint32_t(uint8_t(packed.channels[c].weights[tap])) : 0;
      };
      for (size_t tap = 0; tap < taps; tap += 2)
        for (size_t c = first; c < first + group; c += 2)
          stream.word(weight(c, tap) | weight(c + 1, tap) << 8 | weight(c, tap + 1) << 16 |
                      weight(c + 1, tap + 1) << 24);
    }
    return DepthwiseStream{packed.tail.kind, packed.tail.up, wordData("weights", stream.all())};
  });
}

} // namespace depthwise_conv_2d_s8_dsp

} // namespace aotc
