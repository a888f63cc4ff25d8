// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads SOFTMAX.
#include "compiler/import/Importer.h"

using namespace aotc;

static void readSoftmax(OperatorReader &op) {
  if (!op.expectOperands(1, 1) || !op.expectFloatOrInt8({0}) || !op.expectPerTensor(op.input(0)) ||
      !op.expectPerTensor(op.output()))
    return;
  const auto *options = op.options<tflite::SoftmaxOptions>(tflite::BuiltinOptions::SoftmaxOptions);
  if (op.failed())
    return;
  op.build<nn::SoftmaxOp>(op.operand(0), llvm::APFloat(options ? double(options->beta()) : 1.0));
}

namespace aotc {
void registerSoftmaxImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::SOFTMAX, readSoftmax);
}
} // namespace aotc
