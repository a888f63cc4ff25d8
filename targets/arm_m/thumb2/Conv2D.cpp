// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D, int8, for Armv7-M: any window without groups.
#include "targets/arm_m/thumb2/Thumb2.h"
#include "targets/arm_m/thumb2/kernels/conv_2d_thumb2.h"
#include "targets/generic/Conv.h"

#include "llvm/Support/MathExtras.h"

namespace aotc {

namespace {

/// Both pixels of a pair are read before either is written.
constexpr int64_t pixelsAtOnce = 2;
constexpr size_t group = 4; ///< channels computed together

/// The stream of kernels/thumb2_stream.h.
KernelData streamOf(const Thumb2Layer &layer, int64_t taps) {
  KernelData data;
  data.name = "weights";
  const auto weights = int64_t(layer.channels[0].weights.size());
  for (size_t first = 0; first < layer.channels.size(); first += group) {
    for (int64_t tap = 0; tap < taps; ++tap)
      for (size_t c = first; c < first + group; ++c)
        data.bytes.push_back(tap < weights && c < layer.channels.size()
                                 ? char(layer.channels[c].weights[tap] ^ 0x80)
                                 : char(0));
    for (size_t c = first; c < first + group; ++c)
      llvm::append_range(data.bytes, wordData("", layer.tailWords(c)).bytes);
  }
  return data;
}

} // namespace

namespace conv_2d_s8_thumb2 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = conv_2d_s8::reject(op); !reason.empty())
    return reason;
  return op.as<Conv2DOptions>().groups == 1 ? "" : "has groups";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto &options = op.as<Conv2DOptions>();
  const ClampRange range = quantizedClamp(options.activation, op.outputs[0]);
  const auto inC = int32_t(op.inputs[0].shape[3]), outC = int32_t(op.outputs[0].shape[3]);
  const auto kernelH = int32_t(op.inputs[1].shape[1]), kernelW = int32_t(op.inputs[1].shape[2]);
  KernelData multipliers = std::move(call.data[2]);
  const bool perChannel = multipliers.bytes.size() > 8;
  const Thumb2Layer layer =
      thumb2Layer(intChannels(op.inputs[1].constant, outC, call.data[1].bytes, multipliers.bytes),
                  Thumb2Sums::offsetBias, int32_t(op.outputs[0].quant.zeroPoint()), range);

  const auto taps =
      int32_t(llvm::alignTo(int64_t(kernelH) * kernelW * inC, uint64_t(aotc_thumb2_turn)));
  call.data = {streamOf(layer, taps), zeroPoints(op)};
  if (layer.tail == aotc_thumb2_general) {
    call.data.push_back(layer.biasData());
    call.data.push_back(std::move(multipliers));
  }
  call.shape = paramWords(aotc_conv_2d_thumb2_shape{layer.tail, layer.fit.up});
  call.layer = paramWords(aotc_conv_2d_thumb2_layer{
      kernelH, kernelW, kernelH == 1 ? 1 : int32_t(options.dilationH),
      kernelW == 1 ? 1 : int32_t(options.dilationW), int32_t(options.strideH),
      int32_t(options.strideW), int32_t(call.rows->inRowBytes / inC), inC,
      int32_t(options.padding.left), int32_t(call.rows->outRowBytes / outC), outC, taps, perChannel,
      layer.zeroPoint, range.min, range.max});
  call.scratchBytes = 4 * int64_t(taps);
  PixelWalk walk = convolutionWalk(op, *call.rows);
  walk.pixelsAtOnce = pixelsAtOnce;
  call.overlaps = {overlapOf(walk)};
  return call;
}

} // namespace conv_2d_s8_thumb2

} // namespace aotc
