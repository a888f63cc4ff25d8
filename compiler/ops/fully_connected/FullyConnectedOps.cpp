// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions FullyConnectedOp::describe() {
  return FullyConnectedOptions{toActivation(getActivation())};
}

LogicalResult FullyConnectedOp::verify() { return success(); }
