// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/Checks.h"

#include "targets/generic/kernels/average_s8.h"

#include "llvm/ADT/Twine.h"

#include <cmath>
#include <limits>

namespace aotc {

constexpr int64_t limit = std::numeric_limits<int32_t>::max();

std::string rejectShape(const TensorDesc &tensor, llvm::StringRef what) {
  int64_t bytes = dtypeSize(tensor.type);
  for (int64_t dim : tensor.shape) {
    if (dim < 1)
      return (what + " has a dimension of " + llvm::Twine(dim)).str();
    if (dim > limit || bytes * dim > limit)
      return (what + " has 2^31 bytes or more").str();
    bytes *= dim;
  }
  if (tensor.isConstant && int64_t(tensor.constant.size()) != bytes)
    return (what + " has " + llvm::Twine(tensor.constant.size()) +
            " bytes of data, its shape needs " + llvm::Twine(bytes))
        .str();
  return "";
}

std::string rejectTensor(const TensorDesc &tensor, DType type, llvm::StringRef what) {
  if (tensor.type != type)
    return (what + " is " + dtypeName(tensor.type) + ", not " + dtypeName(type)).str();
  return rejectShape(tensor, what);
}

static std::string rejectScale(double scale, llvm::StringRef what) {
  if (std::isfinite(scale) && scale > 0)
    return "";
  return (what + "'s scale is not positive").str();
}

/// Kernels of single bytes divide by it as a float.
static std::string rejectTensorScale(double scale, llvm::StringRef what) {
  if (std::string reason = rejectScale(scale, what); !reason.empty())
    return reason;
  return std::isnormal(float(scale)) ? "" : (what + "'s scale is no normal float").str();
}

static std::string rejectZeroPoint(int64_t zeroPoint, DType type, llvm::StringRef what) {
  const DTypeInfo &info = dtypeInfo(type);
  if (!info.isQuantizedStorage)
    return (what + " has type " + info.name + ", which is not quantised").str();
  if (zeroPoint >= info.min() && zeroPoint <= info.max())
    return "";
  return (what + "'s zero point is " + llvm::Twine(zeroPoint)).str();
}

std::string rejectPerTensorQuant(const TensorDesc &tensor, llvm::StringRef what) {
  const Quantization &quant = tensor.quant;
  if (quant.empty())
    return (what + " has no quantisation").str();
  if (quant.perChannel() || quant.zeroPoints.size() != 1)
    return (what + " is not quantised per tensor").str();
  std::string reason = rejectTensorScale(quant.scales[0], what);
  return reason.empty() ? rejectZeroPoint(quant.zeroPoints[0], tensor.type, what) : reason;
}

std::string rejectWeightQuant(const TensorDesc &weights, int64_t channels, int axis) {
  const Quantization &quant = weights.quant;
  const size_t scales = quant.scales.size(), zeros = quant.zeroPoints.size();
  if (quant.empty())
    return "weights have no quantisation";
  if (scales > 1 && quant.axis != axis)
    return "weights are quantised along dimension " + std::to_string(quant.axis) + ", not " +
           std::to_string(axis);
  if (scales > 1 && int64_t(scales) != channels)
    return "weights have " + std::to_string(scales) + " scales for " + std::to_string(channels) +
           " channels";
  if (zeros != 1 && zeros != scales)
    return "weights have " + std::to_string(zeros) + " zero points for " + std::to_string(scales) +
           " scales";
  for (double scale : quant.scales)
    if (std::string reason = rejectScale(scale, "weights"); !reason.empty())
      return reason;
  for (int64_t zeroPoint : quant.zeroPoints)
    if (std::string reason = rejectZeroPoint(zeroPoint, weights.type, "weights"); !reason.empty())
      return reason;
  return "";
}

std::string rejectShapeChange(const TensorDesc &input, const TensorDesc &output) {
  return input.shape == output.shape ? "" : "input and output differ in shape";
}

const TensorDesc *biasOf(const OperatorDesc &op) {
  return op.inputs.size() > 2 && op.inputs[2].present() ? &op.inputs[2] : nullptr;
}

std::string rejectBias(const OperatorDesc &op, DType type, int64_t channels) {
  const TensorDesc *bias = biasOf(op);
  if (!bias)
    return "";
  if (std::string reason = rejectTensor(*bias, type, "bias"); !reason.empty())
    return reason;
  if (!bias->isConstant)
    return "bias is not constant";
  if (bias->elements() != channels)
    return "bias has " + std::to_string(bias->elements()) + " elements for " +
           std::to_string(channels) + " channels";
  return "";
}

std::string rejectWindow(const TensorDesc &input, const TensorDesc &output, int64_t extentH,
                         int64_t extentW, int64_t strideH, int64_t strideW,
                         const Padding &padding) {
  if (strideH < 1 || strideW < 1)
    return "stride is below 1";
  if (padding.top < 0 || padding.left < 0 || padding.bottom < 0 || padding.right < 0)
    return "padding is negative";
  // Positions of taps stay far from the limits of int32_t.
  constexpr int64_t most = int64_t(1) << 29;
  // The compiler holds a pointer per row of a window.
  constexpr int64_t mostExtent = int64_t(1) << 16;
  if (extentH < 1 || extentW < 1 || extentH > mostExtent || extentW > mostExtent ||
      padding.top > most || padding.left > most || strideH > most || strideW > most ||
      input.shape[1] > most || input.shape[2] > most || output.shape[1] > most / strideH ||
      output.shape[2] > most / strideW)
    return "window, stride or padding is too large";
  return "";
}

std::string rejectTaps(int64_t taps) {
  return taps <= AOTC_SUM_TAPS ? "" : "sums of more than " + std::to_string(AOTC_SUM_TAPS);
}

bool isPadded(const TensorDesc &input, const TensorDesc &output, int64_t extentH, int64_t extentW,
              int64_t strideH, int64_t strideW, const Padding &padding) {
  return padding.top > 0 || padding.left > 0 ||
         (output.shape[1] - 1) * strideH + extentH > input.shape[1] ||
         (output.shape[2] - 1) * strideW + extentW > input.shape[2];
}

std::string rejectPrepared(llvm::Expected<KernelCall> call,
                           llvm::function_ref<std::string(const KernelCall &)> check) {
  if (call)
    return check(*call);
  llvm::consumeError(call.takeError());
  return "";
}

} // namespace aotc
