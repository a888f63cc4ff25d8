// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D, int8, for Armv6-M: 1x1, and any other window.
#include "targets/arm_m/thumb1/Thumb1.h"
#include "targets/arm_m/thumb1/kernels/conv_2d_thumb1.h"
#include "targets/generic/Checks.h"
#include "targets/generic/Conv.h"
#include "targets/generic/Pointwise.h"

namespace aotc {

namespace {

/// Pixels of a block: all are read before one is written. Two where a row has no
/// more, or where the scratch of four would be much of the network's arena, which
/// maps above 16 KiB and the first layers of small networks set.
int32_t blockOf(const OperatorDesc &op, int64_t taps) {
  const int64_t four = 8 * taps;
  const bool large = op.inputs[0].bytes() + op.outputs[0].bytes() > 16384;
  const bool first = op.inputs[0].shape[3] == 1;
  const bool narrow = op.outputs[0].shape[2] <= 2;
  return narrow || (large && four > 1024) || (first && four > 512) ? 2 : 4;
}

std::optional<Thumb1Layer> layerOf(const OperatorDesc &op, const KernelCall &portable) {
  const ClampRange range = quantizedClamp(op.as<Conv2DOptions>().activation, op.outputs[0]);
  return thumb1Layer(intChannels(op.inputs[1].constant, op.inputs[1].shape[0],
                                 portable.data[1].bytes, portable.data[2].bytes),
                     int32_t(op.outputs[0].quant.zeroPoint()), range);
}

std::string rejectConvolution(const OperatorDesc &op) {
  if (std::string reason = conv_2d_s8::reject(op); !reason.empty())
    return reason;
  if (op.as<Conv2DOptions>().groups != 1)
    return "has groups";
  const auto channels = intChannels(op.inputs[1].constant, op.inputs[1].shape[0], {}, {});
  if (std::string reason = rejectThumb1Weights(channels); !reason.empty())
    return reason;
  return rejectPrepared(conv_2d_s8::prepare(op), [&](const KernelCall &portable) {
    return layerOf(op, portable) ? "" : "requantisation needs fixed_point.h";
  });
}

/// The portable call, with what all convolutions here set.
struct Convolution {
  KernelCall call;
  int32_t taps, turn, tail, pixels;

  int32_t words() const { return int32_t(call.data[0].bytes.size() / 4); }
};

/// Taps in the order of the model, rounded up.
llvm::Expected<Convolution> prepareConvolution(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  Convolution c = {std::move(*base), 0, 0, 0, 0};
  const Thumb1Layer layer = *layerOf(op, c.call); // reject() found it
  const auto count = int32_t(layer.channels[0].weights.size());
  c.taps = (count + 3) / 4 * 4;
  c.turn = c.taps % 8 ? 1 : 2;
  c.tail = layer.kind;
  c.pixels = blockOf(op, c.taps);
  std::vector<int32_t> order;
  for (int32_t k = 0; k < c.taps; ++k)
    order.push_back(k < count ? k : -1);
  c.call.data = {thumb1Stream(layer, order)};
  PixelWalk walk = convolutionWalk(op, *c.call.rows);
  walk.pixelsAtOnce = c.pixels;
  walk.restAtOnce = true;
  c.call.overlaps = {overlapOf(walk)};
  c.call.scratchBytes = 2 * c.pixels * int64_t(c.taps);
  return c;
}

} // namespace

namespace conv_2d_s8_1x1_thumb1 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectPointwiseS8(op); !reason.empty())
    return reason;
  return rejectConvolution(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Convolution> c = prepareConvolution(op);
  if (!c)
    return c.takeError();
  KernelCall &call = c->call;
  const auto inC = int32_t(op.inputs[0].shape[3]), outC = int32_t(op.outputs[0].shape[3]);
  const PointwiseRow row = pointwiseRow(op, call);
  call.shape = paramWords(aotc_conv_2d_1x1_thumb1_shape{c->turn, c->tail, c->pixels});
  call.layer = paramWords(aotc_conv_2d_1x1_thumb1_layer{
      row.pixels, row.stride * inC, int32_t(call.rows->stride), inC, outC, c->taps, c->words()});
  if (isPointwise(op))
    call.rows.reset();
  return std::move(call);
}

} // namespace conv_2d_s8_1x1_thumb1

namespace conv_2d_s8_gather_thumb1 {

std::string reject(const OperatorDesc &op) { return rejectConvolution(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Convolution> c = prepareConvolution(op);
  if (!c)
    return c.takeError();
  KernelCall &call = c->call;
  const auto &options = op.as<Conv2DOptions>();
  const auto inC = int32_t(op.inputs[0].shape[3]);
  const auto outC = int32_t(op.outputs[0].shape[3]);
  const auto kernelH = int32_t(op.inputs[1].shape[1]), kernelW = int32_t(op.inputs[1].shape[2]);
  call.data.push_back(zeroPoints(op));
  call.shape = paramWords(aotc_conv_2d_gather_thumb1_shape{c->turn, c->tail, c->pixels});
  call.layer = paramWords(aotc_conv_2d_gather_thumb1_layer{
      kernelH, kernelH == 1 ? 1 : int32_t(options.dilationH), int32_t(options.strideH), kernelW,
      kernelW == 1 ? 1 : int32_t(options.dilationW), int32_t(options.strideW),
      int32_t(call.rows->inRowBytes / inC), inC, int32_t(options.padding.left),
      int32_t(call.rows->outRowBytes / outC), outC, c->taps, c->words()});
  return std::move(call);
}

} // namespace conv_2d_s8_gather_thumb1

} // namespace aotc
