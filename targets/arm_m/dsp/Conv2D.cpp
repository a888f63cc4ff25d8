// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D, int8, for Armv7E-M: 1x1, kh x 3, and any other window.
#include "targets/arm_m/dsp/Dsp.h"
#include "targets/arm_m/dsp/kernels/conv_2d_dsp.h"
#include "targets/arm_m/kernels/depthwise_window.h"
#include "targets/generic/Conv.h"
#include "targets/generic/Pointwise.h"

namespace aotc {

namespace {

/// Both pixels of a pair are read before either is written.
constexpr int64_t pixelsAtOnce = 2;

std::string rejectConvolution(const OperatorDesc &op) {
  if (std::string reason = conv_2d_s8::reject(op); !reason.empty())
    return reason;
  if (op.as<Conv2DOptions>().groups != 1)
    return "has groups";
  return rejectDspSums(intChannels(op.inputs[1].constant, op.inputs[1].shape[0], {}, {}), true);
}

/// The portable call, its constants repacked later.
struct Convolution {
  KernelCall call;
  KernelData bias, multipliers;
  DspLayer layer;
  ClampRange range;

  void setData(llvm::ArrayRef<int32_t> order) {
    call.data = {dspStream(layer, order, 4)};
    if (layer.tail.kind == aotc_dsp_general) {
      call.data.push_back(bias);
      call.data.push_back(multipliers);
    }
  }
  int32_t perChannel() const { return multipliers.bytes.size() > 8; }
};

llvm::Expected<Convolution> prepareConvolution(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  Convolution c = {std::move(*base), {}, {}, {}, {}};
  c.bias = std::move(c.call.data[1]);
  c.multipliers = std::move(c.call.data[2]);
  c.range = quantizedClamp(op.as<Conv2DOptions>().activation, op.outputs[0]);
  c.layer = dspLayer(
      intChannels(op.inputs[1].constant, op.inputs[1].shape[0], c.bias.bytes, c.multipliers.bytes),
      int32_t(op.outputs[0].quant.zeroPoint()), c.range);
  PixelWalk walk = convolutionWalk(op, *c.call.rows);
  walk.pixelsAtOnce = pixelsAtOnce;
  c.call.overlaps = {overlapOf(walk)};
  return c;
}

/// Bytes 0 and 2, then 1 and 3 of every four, `first` the tap of byte 0; taps
/// from `count` on are absent.
void appendRun(std::vector<int32_t> &order, int32_t first, int32_t count) {
  for (int32_t i = 0; i < count; i += 4)
    for (int32_t k : {i, i + 2, i + 1, i + 3})
      order.push_back(k < count ? first + k : -1);
}

} // namespace

namespace conv_2d_s8_1x1_dsp {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectPointwiseS8(op); !reason.empty())
    return reason;
  if (std::string reason = rejectConvolution(op); !reason.empty())
    return reason;
  if (op.inputs[0].shape[3] % 8)
    return "input channels are not a multiple of 8";
  if (op.outputs[0].shape[3] % 4)
    return "output channels are not a multiple of 4";
  llvm::Expected<Convolution> c = prepareConvolution(op);
  if (!c) {
    llvm::consumeError(c.takeError()); // prepare() reports it
    return "";
  }
  return c->layer.tail.kind == aotc_dsp_general ? "requantisation needs fixed_point.h" : "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Convolution> c = prepareConvolution(op);
  if (!c)
    return c.takeError();
  const auto inC = int32_t(op.inputs[0].shape[3]), outC = int32_t(op.outputs[0].shape[3]);
  std::vector<int32_t> order;
  appendRun(order, 0, inC);
  c->setData(order);
  KernelCall &call = c->call;
  const PointwiseRow row = pointwiseRow(op, call);
  const int32_t turn = inC % 16 || op.optimize == Optimize::size ? 4 : 8;
  call.shape = paramWords(aotc_conv_2d_1x1_dsp_shape{turn, c->layer.tail.kind, c->layer.tail.up,
                                                     int32_t(call.rows->stride)});
  call.layer = paramWords(aotc_conv_2d_1x1_dsp_layer{row.pixels, row.stride, inC, outC,
                                                     int32_t(call.data[0].bytes.size() / 4)});
  call.scratchBytes = 4 * inC;
  if (isPointwise(op))
    call.rows.reset();
  return std::move(call);
}

} // namespace conv_2d_s8_1x1_dsp

namespace conv_2d_s8_3x3_dsp {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectConvolution(op); !reason.empty())
    return reason;
  const auto &options = op.as<Conv2DOptions>();
  if (op.inputs[1].shape[2] != 3)
    return "kernel is not 3 wide";
  if (options.dilationW != 1)
    return "has horizontal dilation";
  if (options.strideW > 2)
    return "horizontal stride is above 2";
  if (op.inputs[0].shape[3] % 8)
    return "input channels are not a multiple of 8";
  return "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Convolution> c = prepareConvolution(op);
  if (!c)
    return c.takeError();
  const auto &options = op.as<Conv2DOptions>();
  const auto &in = op.inputs[0].shape, &out = op.outputs[0].shape;
  const auto inC = int32_t(in[3]), kernelH = int32_t(op.inputs[1].shape[1]);
  // The columns of a row in the order in which the loop reads them.
  const bool one = options.strideW == 1;
  std::vector<int32_t> order;
  for (int32_t row = 0; row < kernelH; ++row)
    for (int32_t c0 = 0; c0 < inC; c0 += 4)
      for (int32_t odd : {0, 1})
        for (int32_t column : {0, one ? 1 : 2, one ? 2 : 1}) {
          const int32_t tap = (row * 3 + column) * inC + c0 + odd;
          order.insert(order.end(), {tap, tap + 2});
        }
  c->setData(order);
  KernelCall &call = c->call;
  const auto zero = int32_t(op.inputs[0].quant.zeroPoint());
  call.data.push_back(zeroPoints(op));
  call.shape = paramWords(
      aotc_conv_2d_3x3_dsp_shape{int32_t(options.strideW), c->layer.tail.kind, c->layer.tail.up});
  call.layer = paramWords(aotc_conv_2d_3x3_dsp_layer{
      kernelH, int32_t(options.dilationH), int32_t(options.strideH), int32_t(in[2]), inC,
      int32_t(options.padding.left), int32_t(out[2]), int32_t(out[3]), zero, c->perChannel(),
      c->layer.zeroPoint, c->range.min, c->range.max});
  call.scratchBytes = int64_t(kernelH) * inC * 2 * (one ? 4 : 5);
  return std::move(call);
}

} // namespace conv_2d_s8_3x3_dsp

namespace conv_2d_s8_gather_dsp {

std::string reject(const OperatorDesc &op) { return rejectConvolution(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Convolution> c = prepareConvolution(op);
  if (!c)
    return c.takeError();
  const auto &options = op.as<Conv2DOptions>();
  const auto inC = int32_t(op.inputs[0].shape[3]);
  const auto kernelH = int32_t(op.inputs[1].shape[1]), kernelW = int32_t(op.inputs[1].shape[2]);
  const bool whole = kernelW == 1 || options.dilationW == 1;
  const int32_t runs = whole ? 1 : kernelW, run = whole ? kernelW * inC : inC;
  std::vector<int32_t> order;
  for (int32_t i = 0; i < kernelH * runs; ++i)
    appendRun(order, i * run, run);
  // Few turns of the loop, and no more than 1 KiB of code: caches are small.
  auto halfSteps = int32_t(order.size() / 2);
  int32_t turn = 4;
  for (int32_t candidate : {6, 10, 8})
    if (halfSteps % candidate == 0 && op.optimize != Optimize::size)
      turn = candidate;
  halfSteps = (halfSteps + turn - 1) / turn * turn;
  order.resize(2 * size_t(halfSteps), -1);
  c->setData(order);
  KernelCall &call = c->call;
  call.shape =
      paramWords(aotc_conv_2d_gather_dsp_shape{turn, c->layer.tail.kind, c->layer.tail.up});
  const int64_t width = call.rows->inRowBytes, outC = op.outputs[0].shape[3];
  call.layer = paramWords(aotc_conv_2d_gather_dsp_layer{
      kernelH, kernelH == 1 ? 1 : int32_t(options.dilationH), int32_t(options.strideH), runs, run,
      whole ? 0 : int32_t(options.dilationW) * inC, int32_t(width), int32_t(options.strideW) * inC,
      int32_t(options.padding.left) * inC, halfSteps, int32_t(call.rows->outRowBytes / outC),
      int32_t(outC), int32_t(op.inputs[0].quant.zeroPoint()), c->perChannel(), c->layer.zeroPoint,
      c->range.min, c->range.max});
  call.scratchBytes = 8 * int64_t(halfSteps);
  return std::move(call);
}

} // namespace conv_2d_s8_gather_dsp

namespace depthwise_conv_2d_s8_few_dsp {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, aotc_depthwise_group - 1, depthwise_conv_2d_s8::reject,
                           conv_2d_s8_gather_dsp::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_gather_dsp::prepare, "aotc_conv_2d_s8_gather__dsp");
}

} // namespace depthwise_conv_2d_s8_few_dsp

} // namespace aotc
