// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

static Padding toPadding(ArrayRef<int64_t> p) { return {p[0], p[1], p[2], p[3]}; }

OperatorOptions Conv2DOp::describe() {
  Conv2DOptions options;
  options.strideH = getStrides()[0], options.strideW = getStrides()[1];
  options.dilationH = getDilations()[0], options.dilationW = getDilations()[1];
  options.padding = toPadding(getPadding());
  options.groups = getInput().getType().getDimSize(3) / getWeights().getType().getDimSize(3);
  options.activation = toActivation(getActivation());
  return options;
}

LogicalResult Conv2DOp::verify() {
  if (failed(verifyArithmetic(*this, {getInput(), getWeights(), getOutput()})) || // conv_c1
      failed(verifyPerTensor(*this, {getInput(), getOutput()})) ||
      failed(verifyRank(*this, getInput(), "input", 4)) || // conv_c2
      failed(verifyRank(*this, getWeights(), "weights", 4)) ||
      failed(verifyChannelAxis(*this, getWeights(), 0))) // conv_c3
    return failure();
  ArrayRef<int64_t> weights = getWeights().getType().getShape();
  int64_t channels = getInput().getType().getDimSize(3);
  if (weights[3] == 0 || channels % weights[3] != 0) // conv_c4
    return emitOpError("input channels ")
           << channels << " are not a multiple of the weights' " << weights[3];
  int64_t groups = channels / weights[3];
  if (groups == 0 || weights[0] % groups != 0)
    return emitOpError("output channels ")
           << weights[0] << " are not a multiple of the " << groups << " groups";
  if (failed(verifyBias(*this, getBias(), getInput(), weights[0]))) // conv_c5
    return failure();
  return verifySlidingWindow(*this, getInput(), getOutput(), weights[0], // conv_c6
                             {weights.slice(1, 2), getStrides(), getDilations(), getPadding()});
}

OperatorOptions DepthwiseConv2DOp::describe() {
  Conv2DOptions options;
  options.strideH = getStrides()[0], options.strideW = getStrides()[1];
  options.dilationH = getDilations()[0], options.dilationW = getDilations()[1];
  options.padding = toPadding(getPadding());
  options.depthMultiplier = getDepthMultiplier();
  options.activation = toActivation(getActivation());
  return options;
}

LogicalResult DepthwiseConv2DOp::verify() {
  if (failed(verifyArithmetic(*this, {getInput(), getWeights(), getOutput()})) || // conv_c1
      failed(verifyPerTensor(*this, {getInput(), getOutput()})) ||
      failed(verifyRank(*this, getInput(), "input", 4)) || // conv_c2
      failed(verifyRank(*this, getWeights(), "weights", 4)) ||
      failed(verifyChannelAxis(*this, getWeights(), 3))) // conv_c3
    return failure();
  ArrayRef<int64_t> weights = getWeights().getType().getShape();
  int64_t channels = getInput().getType().getDimSize(3);
  int64_t multiplier = getDepthMultiplier();
  if (weights[0] != 1)
    return emitOpError("weights have shape ") << shapeText(weights) << ", not 1HWC";
  if (multiplier < 1 || channels < 1 || weights[3] / channels != multiplier ||
      weights[3] % channels != 0) // conv_c7
    return emitOpError("output channels ") << weights[3] << " are not the input's " << channels
                                           << " times the depth multiplier " << multiplier;
  if (failed(verifyBias(*this, getBias(), getInput(), weights[3]))) // conv_c5
    return failure();
  return verifySlidingWindow(*this, getInput(), getOutput(), weights[3], // conv_c6
                             {weights.slice(1, 2), getStrides(), getDilations(), getPadding()});
}
