// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads MEAN.
#include "compiler/import/Importer.h"

#include <set>

using namespace aotc;

static void readMean(OperatorReader &op) {
  if (!op.expectOperands(2, 2) || !op.expectFloatOrInt8({0}) || !op.expectPerTensor(op.input(0)) ||
      !op.expectPerTensor(op.output()))
    return;
  const auto *options = op.options<tflite::ReducerOptions>(tflite::BuiltinOptions::ReducerOptions);
  if (op.failed())
    return;
  auto given = op.constantInts(1, "axes");
  if (!given)
    return;
  int64_t rank = static_cast<int64_t>(op.input(0).shape.size());
  std::set<int64_t> axes; // ascending, unique
  for (int64_t axis : *given) {
    if (axis < -rank || axis >= rank) {
      op.invalid("axis " + llvm::Twine(axis) + " of a tensor of rank " + llvm::Twine(rank));
      return;
    }
    axes.insert(axis < 0 ? axis + rank : axis);
  }
  op.build<nn::MeanOp>(op.operand(0),
                       llvm::ArrayRef<int64_t>(std::vector<int64_t>(axes.begin(), axes.end())),
                       options && options->keep_dims());
}

namespace aotc {
void registerReduceImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::MEAN, readMean);
}
} // namespace aotc
