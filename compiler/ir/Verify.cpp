// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/Verify.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;
using namespace aotc;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

LogicalResult nn::verifyArithmetic(Operation *op, ValueRange values) {
  Type first = typeOf(values[0]).getElementType();
  for (Value value : values) {
    Type type = typeOf(value).getElementType();
    if (!type.isF32() && !isa<quant::QuantizedType>(type))
      return op->emitOpError("element type ") << type << " is neither f32 nor quantised";
    if (toDType(type) != toDType(first))
      return op->emitOpError("mixes element types ") << first << " and " << type;
  }
  return success();
}

LogicalResult nn::verifyPerTensor(Operation *op, ValueRange values) {
  for (Value value : values)
    if (isa<quant::UniformQuantizedPerAxisType>(typeOf(value).getElementType()))
      return op->emitOpError("type ") << value.getType() << " is per channel, only weights may be";
  return success();
}

LogicalResult nn::verifyChannelAxis(Operation *op, Value value, int64_t axis) {
  auto type = dyn_cast<quant::UniformQuantizedPerAxisType>(typeOf(value).getElementType());
  if (!type)
    return success();
  if (type.getQuantizedDimension() != axis)
    return op->emitOpError("weights are quantised along dimension ")
           << type.getQuantizedDimension() << " instead of " << axis;
  if (static_cast<int64_t>(type.getScales().size()) != typeOf(value).getDimSize(axis))
    return op->emitOpError("weights have ") << type.getScales().size() << " scales for "
                                            << typeOf(value).getDimSize(axis) << " channels";
  return success();
}

LogicalResult nn::verifyBias(Operation *op, Value bias, Value input, int64_t channels) {
  if (!bias)
    return success();
  Type type = typeOf(bias).getElementType();
  bool isFloat = typeOf(input).getElementType().isF32();
  if (isFloat ? !type.isF32() : !type.isSignlessInteger(32) && !type.isSignlessInteger(64))
    return op->emitOpError("bias has element type ")
           << type << " beside an input of " << typeOf(input).getElementType();
  if (typeOf(bias).getNumElements() != channels)
    return op->emitOpError("bias has ")
           << typeOf(bias).getNumElements() << " elements for " << channels << " output channels";
  return success();
}

LogicalResult nn::verifyRank(Operation *op, Value value, StringRef name, int64_t rank) {
  if (typeOf(value).getRank() != rank)
    return op->emitOpError(name) << " has shape " << shapeText(typeOf(value).getShape()) << ", not "
                                 << rank << " dimensions";
  return success();
}

LogicalResult nn::verifyShape(Operation *op, Value value, ArrayRef<int64_t> expected) {
  if (typeOf(value).getShape() != expected)
    return op->emitOpError("output has shape ")
           << shapeText(typeOf(value).getShape()) << " instead of " << shapeText(expected);
  return success();
}

LogicalResult nn::verifySlidingWindow(Operation *op, Value input, Value output, int64_t channels,
                                      const SlidingWindow &sliding) {
  // Products of two 32-bit numbers fit; nothing sensible is larger.
  constexpr int64_t kLargest = std::numeric_limits<int32_t>::max();
  if (failed(verifyRank(op, input, "input", 4)) || failed(verifyRank(op, output, "output", 4)))
    return failure();
  if (sliding.window.size() != 2 || sliding.strides.size() != 2 || sliding.dilations.size() != 2 ||
      sliding.padding.size() != 4)
    return op->emitOpError("needs 2 window sizes, 2 strides, 2 dilations and 4 paddings");
  SmallVector<int64_t> expected(typeOf(input).getShape());
  expected[3] = channels;
  for (int i : {0, 1}) {
    StringRef axis = i == 0 ? "vertical" : "horizontal";
    auto inRange = [&](StringRef what, int64_t value, int64_t least) -> LogicalResult {
      if (value >= least && value <= kLargest)
        return success();
      return op->emitOpError(axis)
             << ' ' << what << ' ' << value << " is not in [" << least << ", " << kLargest << "]";
    };
    int64_t window = sliding.window[i], stride = sliding.strides[i];
    int64_t dilation = sliding.dilations[i];
    int64_t before = sliding.padding[i], after = sliding.padding[2 + i];
    if (failed(inRange("window", window, 1)) || failed(inRange("stride", stride, 1)) ||
        failed(inRange("dilation", dilation, 1)) || failed(inRange("padding", before, 0)) ||
        failed(inRange("padding", after, 0)))
      return failure();
    int64_t span = (window - 1) * dilation + 1;
    if (failed(inRange("dilated window", span, 1)))
      return failure();
    if (before >= span || after >= span)
      return op->emitOpError(axis)
             << " padding " << std::max(before, after) << " is not less than the window " << span;
    int64_t padded = typeOf(input).getDimSize(1 + i) + before + after;
    if (padded < span)
      return op->emitOpError(axis)
             << " window " << span << " is larger than the padded input " << padded;
    expected[1 + i] = (padded - span) / stride + 1;
  }
  return verifyShape(op, output, expected);
}
