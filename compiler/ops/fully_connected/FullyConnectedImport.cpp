// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads FULLY_CONNECTED.
#include "compiler/import/Importer.h"

using namespace aotc;

static void readFullyConnected(OperatorReader &op) {
  if (!op.expectOperands(2, 3) || !op.expectFloatOrInt8({0, 1}) ||
      !op.expectPerTensor(op.input(0)) || !op.expectPerTensor(op.output()) || !op.checkBias(2))
    return;
  const FileTensor &weights = op.input(1);
  if (weights.perChannel())
    for (int64_t zeroPoint : weights.quant.zeroPoints)
      if (zeroPoint != 0) {
        op.unsupported("a zero point of the per-channel weights is " + llvm::Twine(zeroPoint),
                       "per-channel weights must be symmetric: zero point 0");
        return;
      }
  const auto *options =
      op.options<tflite::FullyConnectedOptions>(tflite::BuiltinOptions::FullyConnectedOptions);
  if (op.failed())
    return;
  if (options && options->weights_format() != tflite::WeightsFormat::DEFAULT) {
    op.unsupported("shuffled weights", "convert the model without weight shuffling");
    return;
  }
  auto activation = op.activation(options ? options->fused_activation_function()
                                          : tflite::ActivationFunctionType::NONE);
  if (activation)
    op.build<nn::FullyConnectedOp>(op.operand(0), op.operand(1), op.operand(2), *activation);
}

namespace aotc {
void registerFullyConnectedImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::FULLY_CONNECTED, readFullyConnected);
}
} // namespace aotc
