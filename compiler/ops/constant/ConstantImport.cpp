// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants are tensors of the file, not operators: nothing to register.
#include "compiler/import/Importer.h"

using namespace mlir;

namespace aotc {

void registerConstantImport(ImportRegistry &) {}

Value buildConstant(OpBuilder &builder, Location loc, const FileTensor &tensor,
                    DenseElementsAttr value) {
  auto origin = nn::OriginAttr::get(builder.getContext(), -1,
                                    builder.getStringAttr("CONSTANT"), {tensor.index},
                                    {builder.getStringAttr(tensor.name)});
  return nn::ConstantOp::create(builder, loc, tensor.type, value, origin);
}

Value buildConstant(OpBuilder &builder, Location loc, const FileTensor &tensor) {
  return buildConstant(builder, loc, tensor,
                       DenseElementsAttr::getFromRawBuffer(
                           nn::storageTensor(tensor.type), *tensor.data));
}

} // namespace aotc
