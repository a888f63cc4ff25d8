// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions MeanOp::describe() {
  return ReduceOptions{getAxes().vec(), getKeepDims()};
}

LogicalResult MeanOp::verify() { return success(); }
