// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D, int8, for Armv8.1-M with Helium.
#include "targets/arm_m/mve/Mve.h"
#include "targets/arm_m/mve/kernels/conv_2d_mve.h"
#include "targets/generic/Conv.h"

#include <algorithm>

namespace aotc {

namespace {

constexpr int64_t group = 4;         ///< channels computed together
constexpr int64_t mostPixels = 8;    ///< gathered together
constexpr int64_t mostScratch = 640; ///< bytes, if more than two pixels need it
/// Layers of one input channel are early in the network, where room is scarce.
constexpr int64_t mostSingleScratch = 256;
/// Input channels of a depthwise layer that is better computed as a convolution.
constexpr int64_t mostFew = 4;

/// Bytes of scratch that windows of more than two pixels may have.
int64_t mostScratchOf(int64_t inC) { return inC == 1 ? mostSingleScratch : mostScratch; }

} // namespace

namespace conv_2d_s8_mve {

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
  const auto inC = int32_t(op.inputs[0].shape[3]);
  const auto outC = int32_t(op.outputs[0].shape[3]);
  const auto kernelH = int32_t(op.inputs[1].shape[1]), kernelW = int32_t(op.inputs[1].shape[2]);
  const MveLayer layer =
      mveLayer(intChannels(op.inputs[1].constant, outC, call.data[1].bytes, call.data[2].bytes),
               int32_t(op.outputs[0].quant.zeroPoint()),
               quantizedClamp(options.activation, op.outputs[0]), group);

  // The gathered window: its bytes in the order of the model.
  const int32_t count = kernelH * kernelW * inC, taps = (count + 15) / 16 * 16;
  std::vector<int32_t> order(taps, -1);
  for (int32_t tap = 0; tap < count; ++tap)
    order[tap] = tap;
  call.data = {mveStream(layer, order, group)};

  const bool joined = kernelW == 1 || options.dilationW == 1;
  const int32_t runs = joined ? 1 : kernelW, run = joined ? kernelW * inC : inC;
  const int32_t steps = taps / 16;
  const auto width = int32_t(call.rows->outRowBytes / outC);
  const int64_t most = std::min<int64_t>(mostPixels, (width + 1) / 2 * 2); // no more than a row
  const int64_t pixels = std::clamp<int64_t>(mostScratchOf(inC) / taps / 2 * 2, 2, most);
  const bool pointwise = isPointwise(op);
  aotc_conv_2d_mve_layer words = {};
  words.kernel_h = kernelH;
  words.dilation_h = kernelH == 1 ? 1 : int32_t(options.dilationH);
  words.stride_h = int32_t(options.strideH);
  words.runs = runs;
  words.run = run;
  words.run_step = joined ? 0 : int32_t(options.dilationW) * inC;
  words.width = int32_t(call.rows->inRowBytes);
  words.step = int32_t(options.strideW) * inC;
  words.pad_left = int32_t(options.padding.left) * inC;
  words.taps = taps;
  words.turns = steps < 6 ? 0 : (steps - 2) / 4;
  words.pixels = int32_t(pixels);
  words.whole = pointwise && taps == inC;
  words.out_w = width;
  words.out_c = outC;
  words.stream_bytes = int32_t(call.data[0].bytes.size());
  words.in_zero_point = int32_t(op.inputs[0].quant.zeroPoint());
  words.output = layer.output;
  call.layer = paramWords(words);
  call.shape =
      paramWords(aotc_conv_2d_mve_shape{steps < 6 ? steps : 6 + (steps - 2) % 4, layer.tail});
  call.scratchBytes = pixels * taps;
  PixelWalk walk = convolutionWalk(op, *call.rows);
  walk.pixelsAtOnce = pixels;
  walk.restAtOnce = true;
  call.overlaps = {overlapOf(walk)};
  if (pointwise)
    call.rows.reset();
  return call;
}

} // namespace conv_2d_s8_mve

namespace depthwise_conv_2d_s8_few_mve {

std::string reject(const OperatorDesc &op) {
  std::string reason =
      rejectFewChannels(op, mostFew, depthwise_conv_2d_s8::reject, conv_2d_s8_mve::reject);
  if (!reason.empty())
    return reason;
  const auto &window = op.inputs[1].shape;
  const int64_t inC = op.inputs[0].shape[3], most = mostScratchOf(inC);
  return 2 * window[1] * window[2] * inC > most
             ? "its windows need more than " + std::to_string(most) + " bytes of scratch"
             : "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_mve::prepare, "aotc_conv_2d_s8__mve");
}

} // namespace depthwise_conv_2d_s8_few_mve

} // namespace aotc
