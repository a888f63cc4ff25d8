// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  auto type = storageTensor(getResult().getType());
  if (getValue().getShapedType().getShape() != type.getShape() ||
      getValue().getElementType() != type.getElementType())
    return emitOpError("value of type ")
           << getValue().getShapedType() << " is not the storage of " << getResult().getType();
  return success();
}
