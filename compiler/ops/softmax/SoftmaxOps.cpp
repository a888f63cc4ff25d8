// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions SoftmaxOp::describe() {
  return SoftmaxOptions{getBeta().convertToDouble()};
}

LogicalResult SoftmaxOp::verify() { return success(); }
