// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions FullyConnectedOp::describe() {
  return FullyConnectedOptions{toActivation(getActivation())};
}

LogicalResult FullyConnectedOp::verify() {
  if (failed(verifyArithmetic(*this, {getInput(), getWeights(), getOutput()})) || // fc_c1
      failed(verifyPerTensor(*this, {getInput(), getOutput()})) ||
      failed(verifyRank(*this, getWeights(), "weights", 2)) || // fc_c2
      failed(verifyChannelAxis(*this, getWeights(), 0)))
    return failure();
  ArrayRef<int64_t> weights = getWeights().getType().getShape();
  if (failed(verifyBias(*this, getBias(), getInput(), weights[0]))) // fc_c3
    return failure();
  int64_t elements = getInput().getType().getNumElements();
  if (weights[1] < 1 || elements % weights[1] != 0) // fc_c4
    return emitOpError("input ") << shapeText(getInput().getType().getShape())
                                 << " is not a whole number of rows of " << weights[1];
  int64_t rows = elements / weights[1];
  if (getOutput().getType().getNumElements() != rows * weights[0]) // fc_c5
    return emitOpError("output has shape ") << shapeText(getOutput().getType().getShape())
                                            << " instead of " << shapeText({rows, weights[0]});
  return success();
}
