// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on constants, computed on the host. Arithmetic as in TFLite's
// reference kernels: QUANTIZE divides by the scale in float and rounds halves
// away from zero, DEQUANTIZE multiplies and rounds once. Where those leave C++
// or ordinary numbers (NaN, infinities), nothing is computed.
#include "compiler/simplify/Folds.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace mlir;
using namespace aotc;

namespace {

/// A constant operand: its type and all its bytes.
struct Operand {
  RankedTensorType type;
  std::vector<char> bytes;
};

using Bytes = std::optional<std::vector<char>>;

template <typename T> T load(const std::vector<char> &bytes, int64_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T> void store(std::vector<char> &bytes, int64_t i, T value) {
  std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
}

int64_t elementBytes(Type elementType) { return dtypeSize(nn::toDType(elementType)); }

int64_t totalBytes(RankedTensorType type) {
  return type.getNumElements() * elementBytes(type.getElementType());
}

/// Elements per step of each dimension, 0 where `type` broadcasts.
SmallVector<int64_t> broadcastStrides(RankedTensorType type, RankedTensorType to) {
  SmallVector<int64_t> strides(to.getRank(), 0);
  int64_t stride = 1;
  for (int64_t i = 1; i <= type.getRank(); ++i) {
    int64_t dim = type.getDimSize(type.getRank() - i);
    if (dim != 1)
      strides[to.getRank() - i] = stride;
    stride *= dim;
  }
  return strides;
}

/// Calls visit(output index, position) for all elements of `type` in order.
void forEachPosition(RankedTensorType type,
                     llvm::function_ref<void(int64_t, ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> position(type.getRank(), 0);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    visit(i, position);
    for (int64_t d = type.getRank() - 1; d >= 0; --d) {
      if (++position[d] < type.getDimSize(d))
        break;
      position[d] = 0;
    }
  }
}

int64_t dot(ArrayRef<int64_t> position, ArrayRef<int64_t> strides) {
  int64_t sum = 0;
  for (auto [p, s] : llvm::zip_equal(position, strides))
    sum += p * s;
  return sum;
}

Bytes evaluatePad(nn::PadOp op, const Operand &in) {
  RankedTensorType type = op.getType();
  if (in.type.getElementType() != type.getElementType() ||
      isa<quant::UniformQuantizedPerAxisType>(type.getElementType()))
    return std::nullopt;
  int64_t size = elementBytes(type.getElementType());
  int64_t zero = 0;
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(type.getElementType()))
    zero = quantized.getZeroPoint();
  std::vector<char> out(totalBytes(type));
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    std::memcpy(out.data() + i * size, &zero, size); // low bytes first
  SmallVector<int64_t> strides = broadcastStrides(type, type);
  int64_t start = dot(op.getBefore(), strides);
  forEachPosition(in.type, [&](int64_t i, ArrayRef<int64_t> position) {
    std::memcpy(out.data() + (start + dot(position, strides)) * size, in.bytes.data() + i * size,
                size);
  });
  return out;
}

Bytes evaluateTranspose(nn::TransposeOp op, const Operand &in) {
  int64_t size = elementBytes(in.type.getElementType());
  // Elements of the operand per step of each dimension of the result.
  SmallVector<int64_t> own(in.type.getRank()), strides;
  int64_t stride = 1;
  for (int64_t d = in.type.getRank() - 1; d >= 0; --d) {
    own[d] = stride;
    stride *= in.type.getDimSize(d);
  }
  for (int64_t dim : op.getPerm())
    strides.push_back(own[dim]);
  std::vector<char> out(in.bytes.size());
  forEachPosition(op.getType(), [&](int64_t i, ArrayRef<int64_t> position) {
    std::memcpy(out.data() + i * size, in.bytes.data() + dot(position, strides) * size, size);
  });
  return out;
}

Bytes evaluateConcatenation(nn::ConcatenationOp op, ArrayRef<Operand> ins) {
  RankedTensorType type = op.getType();
  if (op.getActivation() != nn::ActivationKind::none)
    return std::nullopt;
  int64_t axis = op.getAxis(), outer = 1;
  for (int64_t d = 0; d < axis; ++d)
    outer *= type.getDimSize(d);
  for (const Operand &in : ins)
    if (in.type.getElementType() != type.getElementType())
      return std::nullopt;
  std::vector<char> out;
  for (int64_t i = 0; i < outer; ++i)
    for (const Operand &in : ins) {
      int64_t chunk = static_cast<int64_t>(in.bytes.size()) / outer;
      out.insert(out.end(), in.bytes.begin() + i * chunk, in.bytes.begin() + (i + 1) * chunk);
    }
  return out;
}

Bytes evaluateQuantize(nn::QuantizeOp op, const Operand &in) {
  auto type = dyn_cast<quant::UniformQuantizedType>(op.getType().getElementType());
  if (!type || !in.type.getElementType().isF32())
    return std::nullopt;
  float scale = static_cast<float>(type.getScale());
  std::vector<char> out(totalBytes(op.getType()));
  for (int64_t i = 0; i < in.type.getNumElements(); ++i) {
    float steps = std::round(load<float>(in.bytes, i) / scale);
    if (!std::isfinite(steps))
      return std::nullopt;
    // Far outside of int32 the reference is undefined; saturate.
    int64_t value =
        static_cast<int64_t>(std::clamp(steps, -0x1p31f, 0x1p31f)) + type.getZeroPoint();
    value = std::clamp(value, type.getStorageTypeMin(), type.getStorageTypeMax());
    if (elementBytes(type) == 1)
      store(out, i, static_cast<uint8_t>(value));
    else
      store(out, i, static_cast<uint16_t>(value));
  }
  return out;
}

Bytes evaluateDequantize(nn::DequantizeOp op, const Operand &in) {
  if (!op.getType().getElementType().isF32())
    return std::nullopt;
  Type elementType = in.type.getElementType();
  std::vector<char> out(totalBytes(op.getType()));
  Quantization quant = nn::toQuantization(elementType);
  DType stored = nn::toDType(elementType);
  if (quant.empty() || !dtypeInfo(stored).isQuantizedStorage)
    return std::nullopt;
  // Elements per step of the quantised axis.
  int64_t inner = 1;
  for (int64_t d = in.type.getRank() - 1; d > quant.axis && quant.perChannel(); --d)
    inner *= in.type.getDimSize(d);
  int64_t channels = static_cast<int64_t>(quant.scales.size());
  for (int64_t i = 0; i < in.type.getNumElements(); ++i) {
    int64_t channel = i / inner % channels;
    // Exact in double (24 + 17 bits), so this rounds once.
    double real = quant.scale(channel) *
                  static_cast<double>(readInteger(stored, in.bytes.data() + i * dtypeSize(stored)) -
                                      quant.zeroPoint(channel));
    store(out, i, static_cast<float>(real));
  }
  return out;
}

Bytes evaluateBinary(Operation *op, nn::ActivationKind activation, ArrayRef<Operand> ins,
                     float (*compute)(float, float)) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.getElementType().isF32() || !ins[0].type.getElementType().isF32() ||
      !ins[1].type.getElementType().isF32())
    return std::nullopt;
  float low = std::numeric_limits<float>::lowest();
  float high = std::numeric_limits<float>::max();
  if (activation != nn::ActivationKind::none)
    low = activation == nn::ActivationKind::relu_n1_to_1 ? -1 : 0;
  if (activation == nn::ActivationKind::relu_n1_to_1)
    high = 1;
  if (activation == nn::ActivationKind::relu6)
    high = 6;
  SmallVector<int64_t> left = broadcastStrides(ins[0].type, type);
  SmallVector<int64_t> right = broadcastStrides(ins[1].type, type);
  std::vector<char> out(totalBytes(type));
  bool ordinary = true;
  forEachPosition(type, [&](int64_t i, ArrayRef<int64_t> position) {
    float value = compute(load<float>(ins[0].bytes, dot(position, left)),
                          load<float>(ins[1].bytes, dot(position, right)));
    ordinary &= std::isfinite(value);
    store(out, i, std::min(std::max(value, low), high));
  });
  if (!ordinary)
    return std::nullopt;
  return out;
}

/// Nothing for operators that are not computed here.
Bytes evaluateOperator(Operation *op, ArrayRef<Operand> ins) {
  if (isa<nn::ReshapeOp>(op))
    return ins[0].bytes;
  if (auto pad = dyn_cast<nn::PadOp>(op))
    return evaluatePad(pad, ins[0]);
  if (auto transpose = dyn_cast<nn::TransposeOp>(op))
    return evaluateTranspose(transpose, ins[0]);
  if (auto concatenation = dyn_cast<nn::ConcatenationOp>(op))
    return evaluateConcatenation(concatenation, ins);
  if (auto quantize = dyn_cast<nn::QuantizeOp>(op))
    return evaluateQuantize(quantize, ins[0]);
  if (auto dequantize = dyn_cast<nn::DequantizeOp>(op))
    return evaluateDequantize(dequantize, ins[0]);
  if (auto add = dyn_cast<nn::AddOp>(op))
    return evaluateBinary(op, add.getActivation(), ins, [](float a, float b) { return a + b; });
  if (auto mul = dyn_cast<nn::MulOp>(op))
    return evaluateBinary(op, mul.getActivation(), ins, [](float a, float b) { return a * b; });
  return std::nullopt;
}

/// Small enough to store rather than compute: the factor lets dequantised
/// weights through, without which kernels could not pack them.
bool isWorthStoring(RankedTensorType result, int64_t operandBytes) {
  return totalBytes(result) <= 4 * operandBytes + 1024;
}

/// Types whose constants are whole bytes.
bool hasWholeBytes(RankedTensorType type) {
  DType element = nn::toDType(type.getElementType());
  return element != DType::none && element != DType::boolean;
}

} // namespace

DenseElementsAttr simplify::evaluate(Operation *op) {
  if (!isa<nn::NNOpInterface>(op))
    return {};
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<DenseElementsAttr> constants;
  int64_t operandBytes = 0;
  for (Value value : op->getOperands()) {
    auto dense = dyn_cast_or_null<DenseElementsAttr>(nn::constantValue(value));
    auto operandType = cast<RankedTensorType>(value.getType());
    if (!dense || !hasWholeBytes(operandType))
      return {};
    constants.push_back(dense);
    operandBytes += totalBytes(operandType);
  }
  if (!hasWholeBytes(type) || !isWorthStoring(type, operandBytes))
    return {};
  SmallVector<Operand> operands;
  for (auto [value, constant] : llvm::zip_equal(op->getOperands(), constants))
    operands.push_back({cast<RankedTensorType>(value.getType()), nn::denseBytes(constant)});
  Bytes bytes = evaluateOperator(op, operands);
  if (!bytes)
    return {};
  assert(static_cast<int64_t>(bytes->size()) == totalBytes(type) &&
         "verified operators have the sizes their operands give");
  return DenseElementsAttr::getFromRawBuffer(nn::storageTensor(type), *bytes);
}
