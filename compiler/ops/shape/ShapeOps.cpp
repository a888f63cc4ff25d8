// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OperatorOptions ReshapeOp::describe() { return ReshapeOptions{}; }

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (getInput().getType() == getType())
    return getInput();
  return {};
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType from = getInput().getType(), to = getOutput().getType();
  if (storageType(from.getElementType()) != storageType(to.getElementType())) // reshape_c1
    return emitOpError("changes the element type ")
           << from.getElementType() << " to " << to.getElementType();
  if (from.getNumElements() != to.getNumElements()) // reshape_c2
    return emitOpError("makes shape ")
           << shapeText(to.getShape()) << " of " << shapeText(from.getShape())
           << ": another number of elements";
  return success();
}

OperatorOptions PadOp::describe() { return PadOptions{getBefore().vec(), getAfter().vec()}; }

LogicalResult PadOp::verify() {
  if (failed(verifyArithmetic(*this, {getInput(), getOutput()})) || // pad_c1
      failed(verifyPerTensor(*this, {getInput(), getOutput()})))
    return failure();
  SmallVector<int64_t> expected(getInput().getType().getShape());
  if (getBefore().size() != expected.size() || getAfter().size() != expected.size()) // pad_c2
    return emitOpError("has ") << getBefore().size() << " and " << getAfter().size()
                               << " paddings for rank " << expected.size();
  for (auto [i, dim] : llvm::enumerate(expected)) {
    for (int64_t amount : {getBefore()[i], getAfter()[i]})
      if (amount < 0 || amount > std::numeric_limits<int32_t>::max()) // pad_c3
        return emitOpError("padding ") << amount << " of dimension " << i << " is out of range";
    dim += getBefore()[i] + getAfter()[i];
  }
  return verifyShape(*this, getOutput(), expected); // pad_c4
}

OperatorOptions TransposeOp::describe() { return TransposeOptions{getPerm().vec()}; }

bool TransposeOp::keepsOrder() {
  int64_t last = -1;
  for (int64_t dim : getPerm()) {
    if (getInput().getType().getDimSize(dim) == 1)
      continue;
    if (dim < last)
      return false;
    last = dim;
  }
  return true;
}

LogicalResult TransposeOp::verify() {
  RankedTensorType from = getInput().getType(), to = getOutput().getType();
  if (storageType(from.getElementType()) != storageType(to.getElementType())) // transpose_c1
    return emitOpError("changes the element type ")
           << from.getElementType() << " to " << to.getElementType();
  if (failed(verifyPerTensor(*this, {getInput(), getOutput()})))
    return failure();
  SmallVector<int64_t> sorted(getPerm()), expected; // transpose_c2
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int64_t>(0, from.getRank())))
    return emitOpError("permutation ") << shapeText(getPerm()) << " does not hold each of the "
                                       << from.getRank() << " dimensions once";
  for (int64_t dim : getPerm())
    expected.push_back(from.getDimSize(dim));
  return verifyShape(*this, getOutput(), expected); // transpose_c3
}

OperatorOptions ConcatenationOp::describe() {
  return ConcatOptions{static_cast<int64_t>(getAxis()), toActivation(getActivation())};
}

LogicalResult ConcatenationOp::verify() {
  if (getInputs().empty()) // concat_c1
    return emitOpError("has no operands");
  SmallVector<Value> all(getInputs());
  all.push_back(getOutput());
  if (failed(verifyArithmetic(*this, all)) || failed(verifyPerTensor(*this, all))) // concat_c2
    return failure();
  SmallVector<int64_t> expected(cast<RankedTensorType>(all[0].getType()).getShape());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= static_cast<int64_t>(expected.size())) // concat_c3
    return emitOpError("axis ") << axis << " of a tensor of rank " << expected.size();
  int64_t sum = 0;
  for (Value input : getInputs()) { // concat_c4
    ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
    bool fits = shape.size() == expected.size();
    for (size_t i = 0; fits && i < shape.size(); ++i)
      fits = static_cast<int64_t>(i) == axis || shape[i] == expected[i];
    if (!fits)
      return emitOpError("operand of shape ")
             << shapeText(shape) << " does not fit along axis " << axis;
    sum += shape[axis];
  }
  expected[axis] = sum;
  return verifyShape(*this, getOutput(), expected);
}
