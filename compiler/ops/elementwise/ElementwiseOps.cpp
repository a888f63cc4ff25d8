// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions AddOp::describe() {
  return BinaryOptions{toActivation(getActivation())};
}
OperatorOptions MulOp::describe() {
  return BinaryOptions{toActivation(getActivation())};
}

LogicalResult AddOp::verify() { return success(); }
LogicalResult MulOp::verify() { return success(); }
