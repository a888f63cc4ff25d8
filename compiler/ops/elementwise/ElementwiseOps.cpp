// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions AddOp::describe() { return BinaryOptions{toActivation(getActivation())}; }
OperatorOptions MulOp::describe() { return BinaryOptions{toActivation(getActivation())}; }

static LogicalResult verifyBinary(auto op) {
  if (failed(verifyArithmetic(op, {op.getLhs(), op.getRhs(), op.getOutput()})) || // binary_c1
      failed(verifyPerTensor(op, {op.getLhs(), op.getRhs(), op.getOutput()})))
    return failure();
  ArrayRef<int64_t> lhs = op.getLhs().getType().getShape();
  ArrayRef<int64_t> rhs = op.getRhs().getType().getShape();
  size_t rank = std::max(lhs.size(), rhs.size());
  SmallVector<int64_t> expected(rank);
  for (size_t i = 0; i < rank; ++i) { // binary_c2; from the last dimension
    int64_t a = i < lhs.size() ? lhs[lhs.size() - 1 - i] : 1;
    int64_t b = i < rhs.size() ? rhs[rhs.size() - 1 - i] : 1;
    if (a != b && a != 1 && b != 1)
      return op.emitOpError("shapes ")
             << shapeText(lhs) << " and " << shapeText(rhs) << " do not broadcast";
    expected[rank - 1 - i] = a == 1 ? b : a;
  }
  return verifyShape(op, op.getOutput(), expected);
}

LogicalResult AddOp::verify() { return verifyBinary(*this); }
LogicalResult MulOp::verify() { return verifyBinary(*this); }
