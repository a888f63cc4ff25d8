// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads AVERAGE_POOL_2D and MAX_POOL_2D.
#include "compiler/import/Importer.h"

using namespace aotc;

template <typename OpTy> static void readPool(OperatorReader &op) {
  if (!op.expectOperands(1, 1) || !op.expectFloatOrInt8({0}) || !op.expectPerTensor(op.input(0)) ||
      !op.expectPerTensor(op.output()))
    return;
  const auto *options = op.options<tflite::Pool2DOptions>(tflite::BuiltinOptions::Pool2DOptions);
  if (op.failed())
    return;
  if (!options) {
    op.invalid("has no options");
    return;
  }
  const std::vector<int64_t> &shape = op.input(0).shape;
  if (shape.size() != 4) {
    op.invalid("input " + shapeText(shape) + " must have 4 dimensions");
    return;
  }
  auto same = op.samePadding(options->padding());
  if (!same)
    return;
  auto activation = op.activation(options->fused_activation_function());
  if (!activation)
    return;
  int64_t filter[] = {options->filter_height(), options->filter_width()};
  int64_t strides[] = {options->stride_h(), options->stride_w()};
  int64_t padding[4] = {};
  for (int i : {0, 1}) {
    auto resolved = op.resolvePadding(*same, shape[1 + i], filter[i], strides[i], 1);
    if (!resolved)
      return;
    padding[i] = resolved->first;
    padding[2 + i] = resolved->second;
  }
  op.build<OpTy>(op.operand(0), llvm::ArrayRef<int64_t>(filter), llvm::ArrayRef<int64_t>(strides),
                 llvm::ArrayRef<int64_t>(padding), *activation);
}

namespace aotc {
void registerPoolImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::AVERAGE_POOL_2D, readPool<nn::AveragePool2DOp>);
  registry.add(tflite::BuiltinOperator::MAX_POOL_2D, readPool<nn::MaxPool2DOp>);
}
} // namespace aotc
