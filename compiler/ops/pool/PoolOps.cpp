// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

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

LogicalResult AveragePool2DOp::verify() { return success(); }
LogicalResult MaxPool2DOp::verify() { return success(); }
