// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

static Padding toPadding(ArrayRef<int64_t> p) {
  return {p[0], p[1], p[2], p[3]};
}

OperatorOptions Conv2DOp::describe() {
  Conv2DOptions options;
  options.strideH = getStrides()[0], options.strideW = getStrides()[1];
  options.dilationH = getDilations()[0], options.dilationW = getDilations()[1];
  options.padding = toPadding(getPadding());
  options.groups = getInput().getType().getDimSize(3) /
                   getWeights().getType().getDimSize(3);
  options.activation = toActivation(getActivation());
  return options;
}

LogicalResult Conv2DOp::verify() { return success(); }

OperatorOptions DepthwiseConv2DOp::describe() {
  Conv2DOptions options;
  options.strideH = getStrides()[0], options.strideW = getStrides()[1];
  options.dilationH = getDilations()[0], options.dilationW = getDilations()[1];
  options.padding = toPadding(getPadding());
  options.depthMultiplier = getDepthMultiplier();
  options.activation = toActivation(getActivation());
  return options;
}

LogicalResult DepthwiseConv2DOp::verify() { return success(); }
