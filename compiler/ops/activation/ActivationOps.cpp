// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions ReluOp::describe() { return UnaryOptions{}; }
OperatorOptions Relu6Op::describe() { return UnaryOptions{}; }
OperatorOptions LogisticOp::describe() { return UnaryOptions{}; }
OperatorOptions TableOp::describe() { return TableOptions{{getTable().begin(), getTable().end()}}; }

static LogicalResult verifyUnary(auto op) {
  if (failed(verifyArithmetic(op, {op.getInput(), op.getOutput()})) || // unary_c1
      failed(verifyPerTensor(op, {op.getInput(), op.getOutput()})))
    return failure();
  return verifyShape(op, op.getOutput(), op.getInput().getType().getShape()); // unary_c2
}

LogicalResult ReluOp::verify() { return verifyUnary(*this); }
LogicalResult Relu6Op::verify() { return verifyUnary(*this); }
LogicalResult LogisticOp::verify() { return verifyUnary(*this); }

LogicalResult TableOp::verify() {
  for (RankedTensorType type : {getInput().getType(), getOutput().getType()}) {
    auto quantized = dyn_cast<quant::UniformQuantizedType>(type.getElementType());
    if (!quantized || quantized.getStorageTypeIntegralWidth() != 8) // table_c1
      return emitOpError("has no function of ") << type.getElementType();
  }
  if (getTable().size() != 256) // table_c3
    return emitOpError("has ") << getTable().size() << " entries, not 256";
  return verifyShape(*this, getOutput(), getInput().getType().getShape()); // table_c2
}
