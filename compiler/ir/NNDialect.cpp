// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/NNDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace aotc;
using namespace aotc::nn;

#include "compiler/ir/NNDialect.cpp.inc"
#include "compiler/ir/NNEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/NNAttributes.cpp.inc"
#include "compiler/ir/NNInterfaces.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/ops/AllOps.cpp.inc"

void NNDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/ir/NNAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/ops/AllOps.cpp.inc"
      >();
}

Operation *NNDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                          Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensor)
    return nullptr;
  return ConstantOp::create(builder, loc, tensor, elements, OriginAttr());
}

Type nn::storageType(Type elementType) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType))
    return quantized.getStorageType();
  return elementType;
}

RankedTensorType nn::storageTensor(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(), storageType(type.getElementType()));
}

DType nn::toDType(Type elementType) {
  bool isUnsigned = false;
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType)) {
    isUnsigned = !quantized.isSigned();
    elementType = quantized.getStorageType();
  }
  DTypeKind kind = DTypeKind::real;
  if (auto integer = dyn_cast<IntegerType>(elementType)) {
    // i1 is a truth value; other integers without a sign are signed.
    isUnsigned |= integer.isUnsigned() || integer.getWidth() == 1;
    kind = isUnsigned ? DTypeKind::unsignedInteger : DTypeKind::signedInteger;
  } else if (!elementType.isF32() && !elementType.isF16()) {
    return DType::none;
  }
  int bits = static_cast<int>(elementType.getIntOrFloatBitWidth());
  for (const DTypeInfo &info : allDTypes())
    if (info.kind == kind && info.bits == bits)
      return info.type;
  return DType::none;
}

Type nn::plainType(MLIRContext *context, DType type) {
  const DTypeInfo &info = dtypeInfo(type);
  if (info.kind == DTypeKind::real)
    return info.bits == 32 ? Type(Float32Type::get(context)) : Type(Float16Type::get(context));
  bool isUnsigned = info.kind == DTypeKind::unsignedInteger && info.bits > 1;
  return IntegerType::get(context, info.bits,
                          isUnsigned ? IntegerType::Unsigned : IntegerType::Signless);
}

Quantization nn::toQuantization(Type elementType) {
  Quantization result;
  if (auto type = dyn_cast<quant::UniformQuantizedType>(elementType)) {
    result.scales = {type.getScale()};
    result.zeroPoints = {type.getZeroPoint()};
  } else if (auto type = dyn_cast<quant::UniformQuantizedPerAxisType>(elementType)) {
    result.scales.assign(type.getScales().begin(), type.getScales().end());
    result.zeroPoints.assign(type.getZeroPoints().begin(), type.getZeroPoints().end());
    result.axis = type.getQuantizedDimension();
  }
  return result;
}

Type nn::makeQuantizedType(function_ref<InFlightDiagnostic()> emitError, MLIRContext *context,
                           DType storage, const Quantization &quant) {
  const DTypeInfo &info = dtypeInfo(storage);
  bool isSigned = info.kind == DTypeKind::signedInteger;
  if (!info.isQuantizedStorage) {
    emitError() << "quantised tensors of type " << dtypeName(storage) << " are not supported";
    return {};
  }
  int64_t low = info.min(), high = info.max();
  for (double scale : quant.scales)
    if (!(scale > 0) || !std::isfinite(scale)) {
      emitError() << "scale " << scale << " is not positive and finite";
      return {};
    }
  for (int64_t zeroPoint : quant.zeroPoints)
    if (zeroPoint < low || zeroPoint > high) {
      emitError() << "zero point " << zeroPoint << " is outside " << dtypeName(storage);
      return {};
    }
  unsigned flags = isSigned ? quant::QuantizationFlags::Signed : 0;
  Type storageTy = IntegerType::get(context, info.bits);
  Type expressed = Float32Type::get(context);
  if (!quant.perChannel())
    return quant::UniformQuantizedType::getChecked(emitError, flags, storageTy, expressed,
                                                   quant.scale(), quant.zeroPoint(), low, high);
  std::vector<int64_t> zeroPoints = quant.zeroPoints;
  zeroPoints.resize(quant.scales.size(), zeroPoints.empty() ? 0 : zeroPoints.front());
  return quant::UniformQuantizedPerAxisType::getChecked(
      emitError, flags, storageTy, expressed, quant.scales, zeroPoints, quant.axis, low, high);
}

Value nn::reshapeRoot(Value value) {
  while (auto reshape = value.getDefiningOp<NNOpInterface>()) {
    if (!reshape.isReshape())
      break;
    value = reshape->getOperand(0);
  }
  return value;
}

std::optional<int64_t> nn::storageBytes(ShapedType type) {
  Type element = storageType(type.getElementType());
  if (!element.isIntOrFloat() || !type.hasStaticShape())
    return std::nullopt;
  int64_t bytes = llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u);
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  for (int64_t dim : type.getShape()) {
    if (bytes > kLargestBytes / dim)
      return std::nullopt;
    bytes *= dim;
  }
  return bytes;
}

bool nn::hasWholeRange(Type elementType) {
  auto type = dyn_cast<quant::QuantizedType>(elementType);
  if (!type)
    return true;
  unsigned width = type.getStorageTypeIntegralWidth();
  return type.getStorageTypeMin() ==
             quant::QuantizedType::getDefaultMinimumForInteger(type.isSigned(), width) &&
         type.getStorageTypeMax() ==
             quant::QuantizedType::getDefaultMaximumForInteger(type.isSigned(), width);
}

ElementsAttr nn::constantValue(Value value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return constant.getValue();
  return {};
}

std::vector<char> nn::denseBytes(DenseElementsAttr value) {
  std::vector<char> bytes;
  if (value.getElementType().isInteger(1)) {
    for (bool element : value.getValues<bool>())
      bytes.push_back(element);
    return bytes;
  }
  ArrayRef<char> raw = value.getRawData();
  int64_t copies = value.isSplat() ? value.getNumElements() : 1;
  bytes.reserve(raw.size() * copies);
  for (int64_t i = 0; i < copies; ++i)
    bytes.insert(bytes.end(), raw.begin(), raw.end());
  return bytes;
}

TensorDesc nn::describeTensor(Value value) {
  TensorDesc desc;
  if (!value)
    return desc;
  auto type = cast<RankedTensorType>(value.getType());
  desc.type = toDType(type.getElementType());
  desc.shape.assign(type.getShape().begin(), type.getShape().end());
  desc.quant = toQuantization(type.getElementType());
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(constantValue(value))) {
    desc.isConstant = true;
    if (dense.isSplat() || desc.type == DType::boolean) {
      desc.expanded = std::make_shared<std::vector<char>>(denseBytes(dense));
      desc.constant = *desc.expanded;
    } else {
      desc.constant = dense.getRawData();
    }
  }
  return desc;
}

OperatorDesc nn::describeOperator(NNOpInterface op) {
  OperatorDesc desc;
  desc.op = op->getName().stripDialect().str();
  for (Value operand : op->getOperands())
    desc.inputs.push_back(describeTensor(operand));
  for (Value result : op->getResults())
    desc.outputs.push_back(describeTensor(result));
  if (OriginAttr origin = op.getOriginAttr())
    for (auto [output, name] : llvm::zip(desc.outputs, origin.getNames()))
      output.name = name.str();
  desc.options = op.describe();
  return desc;
}
