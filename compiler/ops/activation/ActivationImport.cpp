// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads RELU, RELU6 and LOGISTIC.
#include "compiler/import/Importer.h"

using namespace aotc;

template <typename OpTy> static void readUnary(OperatorReader &op) {
  if (op.expectOperands(1, 1) && op.expectFloatOrInt8({0}) && op.expectPerTensor(op.input(0)) &&
      op.expectPerTensor(op.output()))
    op.build<OpTy>(op.operand(0));
}

namespace aotc {
void registerActivationImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::RELU, readUnary<nn::ReluOp>);
  registry.add(tflite::BuiltinOperator::RELU6, readUnary<nn::Relu6Op>);
  registry.add(tflite::BuiltinOperator::LOGISTIC, readUnary<nn::LogisticOp>);
}
} // namespace aotc
