// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED, int8 and float32. Weights may be computed at
// run time.
#include "targets/generic/FullyConnected.h"

#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/fully_connected.h"

#include "llvm/ADT/STLExtras.h"

namespace aotc {

static std::string rejectFullyConnected(const OperatorDesc &op, DType type, DType biasType) {
  if (op.inputs.size() < 2 || op.inputs.size() > 3 || op.outputs.size() != 1)
    return "wrong number of operands";
  const TensorDesc &input = op.inputs[0], &weights = op.inputs[1], &output = op.outputs[0];
  return firstReason([&] { return rejectTensor(input, type, "input"); },
                     [&] { return rejectTensor(weights, type, "weights"); },
                     [&] { return rejectTensor(output, type, "output"); },
                     [&]() -> std::string {
                       if (!std::holds_alternative<FullyConnectedOptions>(op.options))
                         return "not a fully connected layer";
                       if (weights.shape.size() != 2)
                         return "rank of the weights is not 2";
                       if (input.elements() % weights.shape[1])
                         return "input is not a multiple of the weights' " +
                                std::to_string(weights.shape[1]) + " columns";
                       if (input.elements() / weights.shape[1] * weights.shape[0] !=
                           output.elements())
                         return "sizes of input, weights and output do not fit together";
                       return "";
                     },
                     [&] { return rejectBias(op, biasType, weights.shape[0]); });
}

/// `reject`, then weights made at run time.
static std::string rejectComputed(const OperatorDesc &op,
                                  std::string (*reject)(const OperatorDesc &)) {
  std::string reason = reject(op);
  return reason.empty() && !op.inputs[1].isConstant ? "weights are not constant" : reason;
}

static aotc_fully_connected_shape shapeOf(const OperatorDesc &op) {
  const TensorDesc &weights = op.inputs[1];
  aotc_fully_connected_shape shape = {};
  shape.in_c = int32_t(weights.shape[1]);
  shape.out_c = int32_t(weights.shape[0]);
  shape.rows = int32_t(op.inputs[0].elements() / weights.shape[1]);
  shape.has_bias = biasOf(op) != nullptr;
  shape.constant_weights = weights.isConstant;
  return shape;
}

/// What both types have; constant weights are the last data blob.
static void finish(KernelCall &call, const OperatorDesc &op) {
  const TensorDesc &weights = op.inputs[1];
  call.operands = {0};
  call.macs = op.outputs[0].elements() * weights.shape[1];
  const int64_t size = dtypeSize(op.inputs[0].type);
  const int64_t outC = weights.shape[0], inC = weights.shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  call.overlaps = {overlapOf(pixelByPixel(rows, inC * size, outC * size, outC))};
  if (!weights.isConstant) {
    call.operands.push_back(1);
    // Each row of the input needs all weights again.
    if (rows == 1) {
      call.overlaps.push_back(overlapOf(pixelByPixel(outC, inC * size, size, 1)));
      call.overlaps.back().input = 1;
    }
    return;
  }
  KernelData data;
  data.name = "weights";
  data.bytes.assign(weights.constant.begin(), weights.constant.end());
  call.data.push_back(std::move(data));
}

/// The bias; if `fold`, less input zero point * sum of the row's weights.
static std::vector<int32_t> biasWords(const OperatorDesc &op, bool fold) {
  const TensorDesc &weights = op.inputs[1];
  const TensorDesc *bias = biasOf(op);
  const int64_t outC = weights.shape[0], inC = weights.shape[1];
  const auto zeroPoint = uint32_t(op.inputs[0].quant.zeroPoint());
  std::vector<int32_t> words;
  for (int64_t c = 0; c < outC; ++c) {
    uint32_t sum = 0;
    for (int64_t k = 0; fold && k < inC; ++k)
      sum += uint32_t(int8_t(weights.constant[c * inC + k]));
    uint32_t value = bias ? uint32_t(constantS32(*bias, c)) : 0;
    words.push_back(int32_t(value - zeroPoint * sum));
  }
  return words;
}

OverlapRule fullyConnectedOverlap(int64_t rows, int64_t inC, int64_t outC, int64_t group,
                                  bool copied) {
  const int64_t before = copied ? 0 : (outC - 1) / group * group; ///< written at the last read
  std::optional<int64_t> up, down;
  auto add = [](std::optional<int64_t> &most, int64_t distance) {
    most = std::max(most, std::optional(distance));
  };
  // Linear in the row: the first and the last of those that follow a write.
  for (int64_t r : {int64_t(0), std::min<int64_t>(1, rows - 1), rows - 1}) {
    if (r > 0 || before > 0)
      add(up, r * (outC - inC) + before);
    if (before > 0)
      add(down, r * (inC - outC) + inC);
    if (r + 1 < rows)
      add(down, (r + 1) * (inC - outC));
    if (r > 0)
      add(down, r * (inC - outC));
  }
  const int64_t any = anyDistance(rows * inC, rows * outC);
  OverlapRule rule;
  rule.ascending = up.value_or(any);
  rule.descending = down.value_or(any);
  return rule;
}

namespace fully_connected_s8 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectFullyConnected(op, DType::s8, DType::s32); !reason.empty())
    return reason;
  return firstReason([&] { return rejectPerTensorQuant(op.inputs[0], "input"); },
                     [&] { return rejectPerTensorQuant(op.outputs[0], "output"); },
                     [&] { return rejectWeightQuant(op.inputs[1], op.inputs[1].shape[0], 0); },
                     [&]() -> std::string {
                       return llvm::all_equal(op.inputs[1].quant.zeroPoints)
                                  ? ""
                                  : "weights have several zero points";
                     });
}

std::string rejectPacked(const OperatorDesc &op) {
  if (std::string reason = rejectComputed(op, reject); !reason.empty())
    return reason;
  return op.inputs[1].quant.zeroPoint() == 0 ? "" : "weights' zero point is not 0";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  const TensorDesc &input = op.inputs[0], &weights = op.inputs[1], &output = op.outputs[0];
  // GetQuantizedConvolutionMultipler in TFLite's kernel_util.cc; the layers
  // with one scale per channel, and all convolutions, multiply in double.
  auto multipliers = outputMultipliers(input.quant, weights.quant, output.quant,
                                       weights.quant.perChannel() ? ScaleProduct::inDouble
                                                                  : ScaleProduct::inFloat);
  if (!multipliers)
    return multipliers.takeError();

  aotc_fully_connected_shape shape = shapeOf(op);
  shape.has_bias = 1;
  shape.offsets = !weights.isConstant || weights.quant.zeroPoint() != 0;
  shape.per_channel = multipliers->size() > 1;
  shape.left_shift = llvm::any_of(*multipliers, [](FixedMultiplier m) { return m.shift > 0; });
  ClampRange range = quantizedClamp(op.as<FullyConnectedOptions>().activation, output);

  KernelCall call;
  call.shape = paramWords(shape);
  call.layer = paramWords(aotc_fully_connected_s8_layer{
      int32_t(input.quant.zeroPoint()), int32_t(weights.quant.zeroPoint()),
      int32_t(output.quant.zeroPoint()), range.min, range.max});
  call.data.push_back(wordData("bias", biasWords(op, !shape.offsets)));
  call.data.push_back(multiplierData(*multipliers));
  finish(call, op);
  return call;
}

} // namespace fully_connected_s8

namespace fully_connected_f32 {

std::string reject(const OperatorDesc &op) {
  return rejectFullyConnected(op, DType::f32, DType::f32);
}

std::string rejectPacked(const OperatorDesc &op) { return rejectComputed(op, reject); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  FloatClamp range = floatClamp(op.as<FullyConnectedOptions>().activation);
  KernelCall call;
  call.shape = paramWords(shapeOf(op));
  call.layer =
      paramWords(aotc_fully_connected_f32_layer{floatBits(range.min), floatBits(range.max)});
  if (const TensorDesc *bias = biasOf(op)) {
    KernelData data;
    data.name = "bias";
    data.bytes.assign(bias->constant.begin(), bias->constant.end());
    call.data.push_back(std::move(data));
  }
  finish(call, op);
  return call;
}

} // namespace fully_connected_f32

} // namespace aotc
