// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads QUANTIZE and DEQUANTIZE. A DEQUANTIZE of float16 constants, the way
// float16 models store their weights, becomes a float32 constant: exact.
#include "compiler/import/Importer.h"

#include "llvm/Support/Endian.h"

using namespace aotc;

static void readQuantize(OperatorReader &op) {
  if (!op.expectOperands(1, 1))
    return;
  const FileTensor &input = op.input(0), &output = op.output();
  if ((input.dtype != DType::f32 && input.dtype != DType::s8) || output.dtype != DType::s8) {
    op.unsupported("types " + input.typeName + " -> " + output.typeName + " are not supported",
                   "convert the model in float32 or with full int8 quantisation");
    return;
  }
  if (op.expectScale(input) && op.expectScale(output) && op.expectPerTensor(input) &&
      op.expectPerTensor(output))
    op.build<nn::QuantizeOp>(op.operand(0));
}

static void readDequantize(OperatorReader &op) {
  if (!op.expectOperands(1, 1))
    return;
  const FileTensor &input = op.input(0), &output = op.output();
  if (input.dtype == DType::f16 && output.dtype == DType::f32 && input.data &&
      input.shape == output.shape) {
    std::vector<float> values;
    for (const char *p = input.data->begin(); p != input.data->end(); p += 2) {
      llvm::APFloat value(llvm::APFloat::IEEEhalf(),
                          llvm::APInt(16, llvm::support::endian::read16le(p)));
      bool inexact = false;
      value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &inexact);
      values.push_back(value.convertToFloat());
    }
    op.setConstant(mlir::DenseElementsAttr::get(output.type, llvm::ArrayRef<float>(values)));
    return;
  }
  if (input.dtype != DType::s8 || output.dtype != DType::f32) {
    op.unsupported("types " + input.typeName + " -> " + output.typeName + " are not supported",
                   "convert the model in float32 or with full int8 quantisation");
    return;
  }
  if (op.expectScale(input))
    op.build<nn::DequantizeOp>(op.operand(0));
}

namespace aotc {
void registerQuantizeImport(ImportRegistry &registry) {
  registry.add(tflite::BuiltinOperator::QUANTIZE, readQuantize);
  registry.add(tflite::BuiltinOperator::DEQUANTIZE, readDequantize);
}
} // namespace aotc
