// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D and DEPTHWISE_CONV_2D, int8 and float32.
#include "targets/generic/Conv.h"

#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace aotc {

namespace {

/// The sizes both operators have; filled in once the ranks are known.
struct Sizes {
  int64_t batches, inH, inW, inC, outH, outW, outC, kernelH, kernelW;
  /// Weights that make one output channel.
  int64_t filterSize;
};

bool isDepthwise(const OperatorDesc &op) { return op.op == "depthwise_conv_2d"; }

Sizes sizesOf(const OperatorDesc &op) {
  const auto &in = op.inputs[0].shape, &w = op.inputs[1].shape, &out = op.outputs[0].shape;
  return {in[0],  in[1],  in[2], in[3], out[1],
          out[2], out[3], w[1],  w[2],  w[1] * w[2] * (isDepthwise(op) ? 1 : w[3])};
}

std::string rejectSizes(const OperatorDesc &op) {
  const auto *options = std::get_if<Conv2DOptions>(&op.options);
  if (!options)
    return "not a convolution";
  for (const TensorDesc *tensor : {&op.inputs[0], &op.inputs[1], &op.outputs[0]})
    if (tensor->shape.size() != 4)
      return "rank is not 4";
  if (!op.inputs[1].isConstant)
    return "weights are not constant";
  const auto &w = op.inputs[1].shape;
  const Sizes s = sizesOf(op);
  if (s.batches != op.outputs[0].shape[0])
    return "input and output differ in batches";
  if (isDepthwise(op)) {
    if (w[0] != 1 || w[3] != s.outC || s.outC % s.inC || s.outC / s.inC != options->depthMultiplier)
      return "channels of input, weights and output do not fit together";
  } else {
    if (options->groups < 1 || s.inC % options->groups || s.inC / options->groups != w[3] ||
        w[0] != s.outC)
      return "channels of input, weights and output do not fit together";
    if (s.outC % options->groups)
      return "output channels are not a multiple of the groups";
  }
  if (options->dilationH < 1 || options->dilationW < 1)
    return "dilation is below 1";
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (options->dilationH > most || options->dilationW > most)
    return "dilation is too large";
  return rejectWindow(op.inputs[0], op.outputs[0], (s.kernelH - 1) * options->dilationH + 1,
                      (s.kernelW - 1) * options->dilationW + 1, options->strideH, options->strideW,
                      options->padding);
}

std::string rejectConv(const OperatorDesc &op, DType type, DType biasType) {
  if (op.inputs.size() < 2 || op.inputs.size() > 3 || op.outputs.size() != 1)
    return "wrong number of operands";
  return firstReason([&] { return rejectTensor(op.inputs[0], type, "input"); },
                     [&] { return rejectTensor(op.inputs[1], type, "weights"); },
                     [&] { return rejectTensor(op.outputs[0], type, "output"); },
                     [&] { return rejectSizes(op); },
                     [&] { return rejectBias(op, biasType, op.outputs[0].shape[3]); });
}

std::string rejectQuantizedConv(const OperatorDesc &op) {
  if (std::string reason = rejectConv(op, DType::s8, DType::s32); !reason.empty())
    return reason;
  return firstReason(
      [&] { return rejectPerTensorQuant(op.inputs[0], "input"); },
      [&] { return rejectPerTensorQuant(op.outputs[0], "output"); },
      [&] {
        return rejectWeightQuant(op.inputs[1], op.outputs[0].shape[3], isDepthwise(op) ? 3 : 0);
      },
      [&]() -> std::string {
        return llvm::all_of(op.inputs[1].quant.zeroPoints, [](int64_t zero) { return zero == 0; })
                   ? ""
                   : "weights' zero point is not 0";
      });
}

/// bias - input zero point * sum of the channel's weights, wrapping.
std::vector<int32_t> foldedBias(const OperatorDesc &op) {
  const Sizes s = sizesOf(op);
  const TensorDesc *bias = biasOf(op);
  const char *weights = op.inputs[1].constant.data();
  const auto zeroPoint = uint32_t(op.inputs[0].quant.zeroPoint());
  // OHWI: a filter is contiguous; 1HWC: its weights lie outC apart.
  const int64_t start = isDepthwise(op) ? 1 : s.filterSize;
  const int64_t step = isDepthwise(op) ? s.outC : 1;
  std::vector<int32_t> folded;
  for (int64_t c = 0; c < s.outC; ++c) {
    uint32_t sum = 0;
    for (int64_t i = 0; i < s.filterSize; ++i)
      sum += uint32_t(int8_t(weights[c * start + i * step]));
    uint32_t value = bias ? uint32_t(constantS32(*bias, c)) : 0;
    folded.push_back(int32_t(value - zeroPoint * sum));
  }
  return folded;
}

KernelData copyOf(const TensorDesc &tensor, std::string name) {
  KernelData data;
  data.name = std::move(name);
  data.bytes.assign(tensor.constant.begin(), tensor.constant.end());
  return data;
}

/// Pixels of a row: of the image, or all where rows are merged.
int32_t rowPixels(const OperatorDesc &op, int64_t width) {
  const auto &in = op.inputs[0].shape;
  return int32_t(isPointwise(op) ? in[0] * in[1] * in[2] : width);
}

/// Rows, costs and the constants both types have; `symbol` without prefix.
KernelCall baseCall(const OperatorDesc &op, DType type) {
  const auto &options = op.as<Conv2DOptions>();
  const Sizes s = sizesOf(op);
  const int64_t size = dtypeSize(type);
  KernelCall call;
  call.operands = {0};
  call.data.push_back(copyOf(op.inputs[1], "weights"));
  call.macs = op.outputs[0].elements() * s.filterSize;
  RowGeometry rows;
  if (isPointwise(op)) {
    rows.inRows = rows.outRows = 1;
    rows.inRowBytes = op.inputs[0].bytes();
    rows.outRowBytes = op.outputs[0].bytes();
  } else {
    rows.batches = s.batches;
    rows.inRows = s.inH;
    rows.inRowBytes = s.inW * s.inC * size;
    rows.outRows = s.outH;
    rows.outRowBytes = s.outW * s.outC * size;
    rows.windowRows = (s.kernelH - 1) * options.dilationH + 1;
    rows.stride = options.strideH;
    rows.padTop = options.padding.top;
  }
  call.rows = rows;
  PixelWalk walk = convolutionWalk(op, rows);
  walk.groups = isDepthwise(op) ? s.inC : options.groups;
  call.overlaps = {overlapOf(walk)};
  return call;
}

/// The fields the shape structs of both operators share.
template <typename Shape> Shape commonShape(const OperatorDesc &op) {
  Shape shape = {};
  static_cast<aotc_window &>(shape) = windowOf(op);
  shape.padded = isPadded(op);
  shape.has_bias = biasOf(op) != nullptr;
  return shape;
}

/// Shape words of either operator; `multipliers` empty for float.
std::vector<int32_t> shapeWords(const OperatorDesc &op,
                                llvm::ArrayRef<FixedMultiplier> multipliers) {
  const auto &options = op.as<Conv2DOptions>();
  auto finish = [&](auto &shape) {
    if (!multipliers.empty())
      shape.has_bias = 1; // absent or not, the folded one is there
    shape.per_channel = multipliers.size() > 1;
    shape.left_shift = llvm::any_of(multipliers, [](FixedMultiplier m) { return m.shift > 0; });
    return paramWords(shape);
  };
  if (isDepthwise(op)) {
    auto shape = commonShape<aotc_depthwise_conv_2d_shape>(op);
    shape.multiplier = int32_t(options.depthMultiplier);
    return finish(shape);
  }
  auto shape = commonShape<aotc_conv_2d_shape>(op);
  shape.groups = int32_t(options.groups);
  return finish(shape);
}

llvm::Expected<KernelCall> prepareS8(const OperatorDesc &op) {
  const TensorDesc &output = op.outputs[0];
  auto multipliers = outputMultipliers(op.inputs[0].quant, op.inputs[1].quant, output.quant);
  if (!multipliers)
    return multipliers.takeError();
  KernelCall call = baseCall(op, DType::s8);
  call.shape = shapeWords(op, *multipliers);
  ClampRange range = quantizedClamp(op.as<Conv2DOptions>().activation, output);
  call.layer =
      paramWords(aotc_conv_2d_s8_layer{int32_t(op.inputs[0].quant.zeroPoint()),
                                       int32_t(output.quant.zeroPoint()), range.min, range.max});
  call.data.push_back(wordData("bias", foldedBias(op)));
  call.data.push_back(multiplierData(*multipliers));
  return call;
}

llvm::Expected<KernelCall> prepareF32(const OperatorDesc &op) {
  KernelCall call = baseCall(op, DType::f32);
  call.shape = shapeWords(op, {});
  FloatClamp range = floatClamp(op.as<Conv2DOptions>().activation);
  call.layer = paramWords(aotc_conv_2d_f32_layer{floatBits(range.min), floatBits(range.max)});
  if (const TensorDesc *bias = biasOf(op))
    call.data.push_back(copyOf(*bias, "bias"));
  return call;
}

} // namespace

std::string rejectTapTable(const OperatorDesc &op) {
  const auto &w = op.inputs[1].shape;
  return w[1] * w[2] >= int64_t(1) << 16 ? "window is too large" : "";
}

aotc_window windowOf(const OperatorDesc &op) {
  const auto &options = op.as<Conv2DOptions>();
  const Sizes s = sizesOf(op);
  aotc_window window = {};
  window.in_w = rowPixels(op, s.inW);
  window.in_c = int32_t(s.inC);
  window.out_w = rowPixels(op, s.outW);
  window.out_c = int32_t(s.outC);
  window.kernel_h = int32_t(s.kernelH);
  window.kernel_w = int32_t(s.kernelW);
  window.stride_h = int32_t(options.strideH);
  window.stride_w = int32_t(options.strideW);
  // A single tap has no neighbours; 1 keeps such layers' code shared.
  window.dilation_h = s.kernelH == 1 ? 1 : int32_t(options.dilationH);
  window.dilation_w = s.kernelW == 1 ? 1 : int32_t(options.dilationW);
  window.pad_left = int32_t(options.padding.left);
  return window;
}

bool isPadded(const OperatorDesc &op) {
  const auto &options = op.as<Conv2DOptions>();
  const Sizes s = sizesOf(op);
  return isPadded(op.inputs[0], op.outputs[0], (s.kernelH - 1) * options.dilationH + 1,
                  (s.kernelW - 1) * options.dilationW + 1, options.strideH, options.strideW,
                  options.padding);
}

PixelWalk convolutionWalk(const OperatorDesc &op, const RowGeometry &rows) {
  const auto &options = op.as<Conv2DOptions>();
  const Sizes s = sizesOf(op);
  PixelWalk walk;
  walk.rows = rows;
  walk.inWidth = rowPixels(op, s.inW);
  walk.outWidth = rowPixels(op, s.outW);
  walk.outChannels = s.outC;
  walk.kernelW = s.kernelW;
  walk.dilationH = options.dilationH;
  walk.dilationW = options.dilationW;
  walk.strideW = options.strideW;
  walk.padLeft = options.padding.left;
  return walk;
}

KernelData zeroPoints(const OperatorDesc &op, int64_t least) {
  KernelData zeros;
  zeros.name = "zero points";
  zeros.bytes.assign(std::max(op.inputs[0].shape[3], least), char(op.inputs[0].quant.zeroPoint()));
  return zeros;
}

/// With its own weights, reordered and with zeros for the other input channels.
static OperatorDesc asConv2D(const OperatorDesc &op) {
  OperatorDesc conv = op;
  conv.op = "conv_2d";
  std::get<Conv2DOptions>(conv.options).depthMultiplier = 1;
  TensorDesc &weights = conv.inputs[1];
  const int64_t outC = weights.shape[3], taps = weights.shape[1] * weights.shape[2];
  const int64_t inC = op.inputs[0].shape[3], multiplier = outC / inC;
  const int64_t size = dtypeSize(weights.type);
  auto bytes = std::make_shared<std::vector<char>>(inC * weights.constant.size());
  for (int64_t c = 0; c < outC; ++c)
    for (int64_t tap = 0; tap < taps; ++tap)
      std::copy_n(weights.constant.data() + (tap * outC + c) * size, size,
                  bytes->data() + ((c * taps + tap) * inC + c / multiplier) * size);
  weights.constant = *bytes;
  weights.expanded = std::move(bytes);
  weights.shape = {outC, weights.shape[1], weights.shape[2], inC};
  weights.quant.axis = weights.quant.perChannel() ? 0 : -1;
  return conv;
}

std::string rejectFewChannels(const OperatorDesc &op, int64_t most,
                              llvm::function_ref<std::string(const OperatorDesc &)> portable,
                              llvm::function_ref<std::string(const OperatorDesc &)> conv) {
  if (std::string reason = portable(op); !reason.empty())
    return reason;
  if (op.inputs[0].shape[3] > most)
    return most == 1 ? "has several input channels"
                     : "has more than " + std::to_string(most) + " input channels";
  if (op.inputs[0].shape[3] * op.inputs[1].bytes() >= int64_t(1) << 31)
    return "weights with their zeros have 2^31 bytes or more";
  return conv(asConv2D(op));
}

llvm::Expected<KernelCall>
prepareFewChannels(const OperatorDesc &op,
                   llvm::function_ref<llvm::Expected<KernelCall>(const OperatorDesc &)> conv,
                   llvm::StringRef symbol) {
  llvm::Expected<KernelCall> call = conv(asConv2D(op));
  if (call) {
    call->symbol = symbol.str();
    call->macs /= op.inputs[0].shape[3]; // those with zeros do not count
  }
  return call;
}

std::string rejectDepthwise3x3(const OperatorDesc &op) {
  if (std::string reason = depthwise_conv_2d_s8::reject(op); !reason.empty())
    return reason;
  const auto &options = op.as<Conv2DOptions>();
  const auto &w = op.inputs[1].shape;
  if (w[1] != 3 || w[2] != 3)
    return "kernel is not 3x3";
  if (options.dilationH != 1 || options.dilationW != 1)
    return "has dilation";
  return options.depthMultiplier == 1 ? "" : "has a depth multiplier";
}

std::string rejectColumns3(const OperatorDesc &op) {
  const auto &options = op.as<Conv2DOptions>();
  if (options.strideW > 2)
    return "horizontal stride is above 2";
  const int64_t last = (op.outputs[0].shape[2] - 1) * options.strideW - options.padding.left + 2;
  return options.padding.left > 1 || last > op.inputs[0].shape[2]
             ? "more than one column is missing"
             : "";
}

bool isPointwise(const OperatorDesc &op) {
  const auto &options = op.as<Conv2DOptions>();
  const Sizes s = sizesOf(op);
  return s.kernelH == 1 && s.kernelW == 1 && options.strideH == 1 && options.strideW == 1 &&
         options.padding.top == 0 && options.padding.left == 0 && s.inH == s.outH &&
         s.inW == s.outW;
}

namespace conv_2d_s8 {
std::string reject(const OperatorDesc &op) { return rejectQuantizedConv(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareS8(op); }
} // namespace conv_2d_s8

namespace conv_2d_f32 {
std::string reject(const OperatorDesc &op) { return rejectConv(op, DType::f32, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op); }
} // namespace conv_2d_f32

namespace depthwise_conv_2d_s8 {
std::string reject(const OperatorDesc &op) { return rejectQuantizedConv(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareS8(op); }
} // namespace depthwise_conv_2d_s8

namespace depthwise_conv_2d_f32 {
std::string reject(const OperatorDesc &op) { return rejectConv(op, DType::f32, DType::f32); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op); }
} // namespace depthwise_conv_2d_f32

} // namespace aotc
