// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions ReshapeOp::describe() { return ReshapeOptions{}; }

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

LogicalResult ReshapeOp::verify() { return success(); }

OperatorOptions PadOp::describe() {
  return PadOptions{getBefore().vec(), getAfter().vec()};
}

LogicalResult PadOp::verify() { return success(); }

OperatorOptions ConcatenationOp::describe() {
  return ConcatOptions{static_cast<int64_t>(getAxis()), toActivation(getActivation())};
}

LogicalResult ConcatenationOp::verify() { return success(); }
