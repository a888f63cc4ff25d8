// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

static OperatorOptions describePool(auto op) {
  Pool2DOptions options;
  options.filterH = op.getFilter()[0], options.filterW = op.getFilter()[1];
  options.strideH = op.getStrides()[0], options.strideW = op.getStrides()[1];
  ArrayRef<int64_t> padding = op.getPadding();
  options.padding = {padding[0], padding[1], padding[2], padding[3]};
  options.activation = toActivation(op.getActivation());
  return options;
}

OperatorOptions AveragePool2DOp::describe() { return describePool(*this); }
OperatorOptions MaxPool2DOp::describe() { return describePool(*this); }

static LogicalResult verifyPool(auto op) {
  if (failed(verifyArithmetic(op, {op.getInput(), op.getOutput()})) || // pool_c1
      failed(verifyPerTensor(op, {op.getInput(), op.getOutput()})) ||
      failed(verifyRank(op, op.getInput(), "input", 4)))
    return failure();
  return verifySlidingWindow(op, op.getInput(), op.getOutput(), // pool_c2
                             op.getInput().getType().getDimSize(3),
                             {op.getFilter(), op.getStrides(), {1, 1}, op.getPadding()});
}

LogicalResult AveragePool2DOp::verify() { return verifyPool(*this); }
LogicalResult MaxPool2DOp::verify() { return verifyPool(*this); }
