// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the operators that move or relabel data: RESHAPE, SQUEEZE,
// EXPAND_DIMS, PAD, TRANSPOSE, CONCATENATION.
#include "compiler/import/Importer.h"

#include "llvm/ADT/STLExtras.h"

using namespace aotc;

namespace {

int64_t product(llvm::ArrayRef<int64_t> shape) {
  int64_t result = 1;
  for (int64_t dim : shape)
    result *= dim; // of a tensor that fits 2 GiB
  return result;
}

/// Builds the reshape if the file's output shape is the one asked for.
void buildReshape(OperatorReader &op, llvm::ArrayRef<int64_t> asked) {
  if (llvm::ArrayRef<int64_t>(op.output().shape) != asked) {
    op.invalid("asks for shape " + shapeText(asked) + ", the output has " +
               shapeText(op.output().shape));
    return;
  }
  op.build<nn::ReshapeOp>(op.operand(0));
}

bool checkMove(OperatorReader &op, size_t least, size_t most) {
  return op.expectOperands(least, most) && op.expectFloatOrInt8({0}) &&
         op.expectPerTensor(op.input(0)) && op.expectPerTensor(op.output());
}

void readReshape(OperatorReader &op) {
  if (!checkMove(op, 1, 2))
    return;
  const auto *options = op.options<tflite::ReshapeOptions>(tflite::BuiltinOptions::ReshapeOptions);
  if (op.failed())
    return;
  std::vector<int64_t> asked;
  if (op.hasInput(1)) { // goes before the option
    auto shape = op.constantInts(1, "dimensions");
    if (!shape)
      return;
    asked = *shape;
  } else if (options && options->new_shape()) {
    asked.assign(options->new_shape()->begin(), options->new_shape()->end());
    if (asked == std::vector<int64_t>{0}) // old files: a scalar
      asked.clear();
  } else {
    asked = op.output().shape;
  }
  // One -1 stands for what is left.
  if (llvm::is_contained(asked, -1)) {
    const std::vector<int64_t> &from = op.input(0).shape;
    int64_t all = product(from), known = 1, unknowns = 0;
    for (int64_t dim : asked) {
      if (dim == -1)
        ++unknowns;
      else if (dim >= 1 && dim <= all && known <= all)
        known *= dim;
      else
        known = all + 1;
    }
    if (unknowns != 1 || all % known != 0) {
      op.invalid("shape " + shapeText(asked) + " does not fit " + shapeText(from));
      return;
    }
    *llvm::find(asked, -1) = all / known;
  }
  buildReshape(op, asked);
}

void readSqueeze(OperatorReader &op) {
  if (!checkMove(op, 1, 1))
    return;
  const auto *options = op.options<tflite::SqueezeOptions>(tflite::BuiltinOptions::SqueezeOptions);
  if (op.failed())
    return;
  const std::vector<int64_t> &shape = op.input(0).shape;
  int64_t rank = static_cast<int64_t>(shape.size());
  std::vector<bool> drop(shape.size());
  if (options && options->squeeze_dims() && options->squeeze_dims()->size()) {
    for (int64_t dim : *options->squeeze_dims()) {
      int64_t axis = dim < 0 ? dim + rank : dim;
      if (axis < 0 || axis >= rank || shape[axis] != 1) {
        op.invalid("squeezes dimension " + llvm::Twine(dim) + " of " + shapeText(shape));
        return;
      }
      drop[axis] = true;
    }
  } else {
    for (int64_t i = 0; i < rank; ++i)
      drop[i] = shape[i] == 1;
  }
  std::vector<int64_t> asked;
  for (int64_t i = 0; i < rank; ++i)
    if (!drop[i])
      asked.push_back(shape[i]);
  buildReshape(op, asked);
}

void readExpandDims(OperatorReader &op) {
  if (!checkMove(op, 2, 2))
    return;
  auto axes = op.constantInts(1, "axis");
  if (!axes)
    return;
  std::vector<int64_t> asked = op.input(0).shape;
  int64_t rank = static_cast<int64_t>(asked.size());
  if (axes->size() != 1 || (*axes)[0] < -rank - 1 || (*axes)[0] > rank) {
    op.invalid("axis " + shapeText(*axes) + " is not one of a tensor of rank " +
               llvm::Twine(rank + 1));
    return;
  }
  int64_t axis = (*axes)[0] < 0 ? (*axes)[0] + rank + 1 : (*axes)[0];
  asked.insert(asked.begin() + axis, 1);
  buildReshape(op, asked);
}

void readPad(OperatorReader &op) {
  if (!checkMove(op, 2, 2))
    return;
  auto amounts = op.constantInts(1, "paddings");
  if (!amounts)
    return;
  size_t rank = op.input(0).shape.size();
  if (amounts->size() != 2 * rank) {
    op.invalid("has " + llvm::Twine(amounts->size()) + " paddings for rank " + llvm::Twine(rank));
    return;
  }
  std::vector<int64_t> before, after;
  for (size_t i = 0; i < rank; ++i) {
    before.push_back((*amounts)[2 * i]);
    after.push_back((*amounts)[2 * i + 1]);
  }
  op.build<nn::PadOp>(op.operand(0), llvm::ArrayRef<int64_t>(before),
                      llvm::ArrayRef<int64_t>(after));
}

/// Of any type of whole bytes: numbers are copied, whatever their scales.
void readTranspose(OperatorReader &op) {
  if (!op.expectOperands(2, 2))
    return;
  const FileTensor &input = op.input(0), &output = op.output();
  if (input.dtype != output.dtype || input.dtype == DType::boolean || input.dtype == DType::f16) {
    op.unsupported("types " + input.typeName + " -> " + output.typeName + " are not supported",
                   "convert the model in float32 or with full int8 quantisation");
    return;
  }
  if (!op.expectPerTensor(input) || !op.expectPerTensor(output))
    return;
  auto perm = op.constantInts(1, "permutation");
  if (!perm)
    return;
  // The reference counts negative dimensions from the end.
  for (int64_t &dim : *perm)
    dim += dim < 0 ? static_cast<int64_t>(input.shape.size()) : 0;
  op.build<nn::TransposeOp>(op.operand(0), llvm::ArrayRef<int64_t>(*perm));
}

void readConcatenation(OperatorReader &op) {
  std::vector<size_t> all;
  for (size_t i = 0; i < op.numInputs(); ++i)
    all.push_back(i);
  if (!op.expectOperands(std::max<size_t>(1, all.size()), all.size()) ||
      !op.expectFloatOrInt8(all) || !op.expectPerTensor(op.output()))
    return;
  const FileTensor &output = op.output();
  for (size_t i : all) {
    const FileTensor &input = op.input(i);
    if (!op.expectPerTensor(input))
      return;
    if (!input.quant.empty() && (input.quant.scale() != output.quant.scale() ||
                                 input.quant.zeroPoint() != output.quant.zeroPoint())) {
      op.unsupported(describe(input) + " is quantised differently from the output",
                     "give all operands one scale and zero point when converting");
      return;
    }
  }
  const auto *options =
      op.options<tflite::ConcatenationOptions>(tflite::BuiltinOptions::ConcatenationOptions);
  if (op.failed())
    return;
  if (options && options->fused_activation_function() != tflite::ActivationFunctionType::NONE) {
    op.unsupported("fused activation", "use a separate operator");
    return;
  }
  int64_t rank = static_cast<int64_t>(output.shape.size());
  int64_t axis = options ? options->axis() : 0;
  if (axis < -rank || axis >= rank) {
    op.invalid("axis " + llvm::Twine(axis) + " of a tensor of rank " + llvm::Twine(rank));
    return;
  }
  std::vector<mlir::Value> operands;
  for (size_t i : all)
    operands.push_back(op.operand(i));
  op.build<nn::ConcatenationOp>(mlir::ValueRange(operands),
                                static_cast<uint64_t>(axis < 0 ? axis + rank : axis),
                                nn::ActivationKind::none);
}

} // namespace

namespace aotc {
void registerShapeImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::RESHAPE, readReshape);
  registry.add(tflite::BuiltinOperator::SQUEEZE, readSqueeze);
  registry.add(tflite::BuiltinOperator::EXPAND_DIMS, readExpandDims);
  registry.add(tflite::BuiltinOperator::PAD, readPad);
  registry.add(tflite::BuiltinOperator::TRANSPOSE, readTranspose);
  registry.add(tflite::BuiltinOperator::CONCATENATION, readConcatenation);
}
} // namespace aotc
