// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads ADD and MUL.
#include "compiler/import/Importer.h"

using namespace aotc;

template <typename OpTy, typename Options>
static void readBinary(OperatorReader &op, tflite::BuiltinOptions kind) {
  if (!op.expectOperands(2, 2) || !op.expectFloatOrInt8({0, 1}) ||
      !op.expectPerTensor(op.input(0)) || !op.expectPerTensor(op.input(1)) ||
      !op.expectPerTensor(op.output()))
    return;
  const auto *options = op.options<Options>(kind);
  if (op.failed())
    return;
  auto activation = op.activation(options ? options->fused_activation_function()
                                          : tflite::ActivationFunctionType::NONE);
  if (activation)
    op.build<OpTy>(op.operand(0), op.operand(1), *activation);
}

namespace aotc {
void registerElementwiseImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::ADD, [](OperatorReader &op) {
    readBinary<nn::AddOp, tflite::AddOptions>(op, tflite::BuiltinOptions::AddOptions);
  });
  registry.add(tflite::BuiltinOperator::MUL, [](OperatorReader &op) {
    readBinary<nn::MulOp, tflite::MulOptions>(op, tflite::BuiltinOptions::MulOptions);
  });
}
} // namespace aotc
