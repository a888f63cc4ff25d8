// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads CONV_2D and DEPTHWISE_CONV_2D.
#include "compiler/import/Importer.h"

using namespace aotc;

namespace {

/// Input, weights and the optional bias fit one of the arithmetics we have.
bool checkOperands(OperatorReader &op) {
  if (!op.expectOperands(2, 3) || !op.expectFloatOrInt8({0, 1}) ||
      !op.expectPerTensor(op.input(0)) || !op.expectPerTensor(op.output()))
    return false;
  const FileTensor &weights = op.input(1);
  if (op.input(0).shape.size() != 4 || weights.shape.size() != 4)
    return op.invalid("input " + shapeText(op.input(0).shape) + " and weights " +
                      shapeText(weights.shape) + " must have 4 dimensions");
  for (int64_t zeroPoint : weights.quant.zeroPoints)
    if (zeroPoint != 0)
      return op.unsupported("the weights' zero point is " + llvm::Twine(zeroPoint),
                            "int8 weights must be symmetric: zero point 0");
  return op.checkBias(2);
}

/// Attributes both operators have, resolved.
struct Window {
  std::vector<int64_t> strides, dilations, padding;
  nn::ActivationKind activation = nn::ActivationKind::none;
};

template <typename Options>
std::optional<Window> readWindow(OperatorReader &op, const Options *options) {
  Window window;
  if (op.failed())
    return std::nullopt;
  if (!options) {
    op.invalid("has no options");
    return std::nullopt;
  }
  auto same = op.samePadding(options->padding());
  if (!same)
    return std::nullopt;
  auto activation = op.activation(options->fused_activation_function());
  if (!activation)
    return std::nullopt;
  window.activation = *activation;
  window.strides = {options->stride_h(), options->stride_w()};
  window.dilations = {options->dilation_h_factor(), options->dilation_w_factor()};
  window.padding.assign(4, 0);
  for (int i : {0, 1}) {
    auto padding = op.resolvePadding(*same, op.input(0).shape[1 + i], op.input(1).shape[1 + i],
                                     window.strides[i], window.dilations[i]);
    if (!padding)
      return std::nullopt;
    window.padding[i] = padding->first;
    window.padding[2 + i] = padding->second;
  }
  return window;
}

void readConv2D(OperatorReader &op) {
  if (!checkOperands(op))
    return;
  auto window =
      readWindow(op, op.options<tflite::Conv2DOptions>(tflite::BuiltinOptions::Conv2DOptions));
  if (window)
    op.build<nn::Conv2DOp>(op.operand(0), op.operand(1), op.operand(2),
                           llvm::ArrayRef<int64_t>(window->strides),
                           llvm::ArrayRef<int64_t>(window->dilations),
                           llvm::ArrayRef<int64_t>(window->padding), window->activation);
}

void readDepthwiseConv2D(OperatorReader &op) {
  if (!checkOperands(op))
    return;
  auto window = readWindow(op, op.options<tflite::DepthwiseConv2DOptions>(
                                   tflite::BuiltinOptions::DepthwiseConv2DOptions));
  // The option depth_multiplier is redundant and sometimes wrong.
  if (window)
    op.build<nn::DepthwiseConv2DOp>(
        op.operand(0), op.operand(1), op.operand(2), llvm::ArrayRef<int64_t>(window->strides),
        llvm::ArrayRef<int64_t>(window->dilations), llvm::ArrayRef<int64_t>(window->padding),
        op.input(1).shape[3] / op.input(0).shape[3], window->activation);
}

} // namespace

namespace aotc {
void registerConvImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::CONV_2D, readConv2D);
  registry.add(tflite::BuiltinOperator::DEPTHWISE_CONV_2D, readDepthwiseConv2D);
}
} // namespace aotc
