// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions SoftmaxOp::describe() { return SoftmaxOptions{getBeta().convertToDouble()}; }

LogicalResult SoftmaxOp::verify() {
  if (failed(verifyArithmetic(*this, {getInput(), getOutput()})) || // softmax_c1
      failed(verifyPerTensor(*this, {getInput(), getOutput()})))
    return failure();
  if (!getBeta().isFinite()) // softmax_c2
    return emitOpError("beta is not finite");
  if (getInput().getType().getRank() < 1) // softmax_c3
    return emitOpError("input has no dimension to normalise along");
  return verifyShape(*this, getOutput(), getInput().getType().getShape());
}
