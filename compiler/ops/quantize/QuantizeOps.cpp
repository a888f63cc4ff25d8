// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions QuantizeOp::describe() { return UnaryOptions{}; }
OperatorOptions DequantizeOp::describe() { return UnaryOptions{}; }

LogicalResult QuantizeOp::verify() {
  Type from = getInput().getType().getElementType();
  Type to = getOutput().getType().getElementType();
  if ((!from.isF32() && !isa<quant::QuantizedType>(from)) ||
      !isa<quant::QuantizedType>(to)) // quantize_c1
    return emitOpError("does not turn ") << from << " into " << to;
  if (failed(verifyPerTensor(*this, {getInput(), getOutput()}))) // quantize_c2
    return failure();
  return verifyShape(*this, getOutput(), getInput().getType().getShape()); // quantize_c3
}

LogicalResult DequantizeOp::verify() {
  Type from = getInput().getType().getElementType();
  Type to = getOutput().getType().getElementType();
  if (!isa<quant::QuantizedType>(from) || !to.isF32()) // dequantize_c1
    return emitOpError("does not turn ") << from << " into " << to;
  return verifyShape(*this, getOutput(), getInput().getType().getShape()); // dequantize_c2
}
