// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions MeanOp::describe() { return ReduceOptions{getAxes().vec(), getKeepDims()}; }

LogicalResult MeanOp::verify() {
  if (failed(verifyArithmetic(*this, {getInput(), getOutput()})) || // mean_c1
      failed(verifyPerTensor(*this, {getInput(), getOutput()})))
    return failure();
  ArrayRef<int64_t> shape = getInput().getType().getShape();
  int64_t last = -1;
  for (int64_t axis : getAxes()) { // mean_c2
    if (axis <= last || axis >= static_cast<int64_t>(shape.size()))
      return emitOpError("axes ") << shapeText(getAxes()) << " are not ascending in [0, "
                                  << shape.size() << ")";
    last = axis;
  }
  SmallVector<int64_t> expected; // mean_c3
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(getAxes(), static_cast<int64_t>(i)))
      expected.push_back(dim);
    else if (getKeepDims())
      expected.push_back(1);
  }
  return verifyShape(*this, getOutput(), expected);
}
