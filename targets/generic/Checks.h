// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks shared by the host sides of kernels. Each returns "" or the reason for
// a refusal in a few words, and accepts any operator, however malformed.
#pragma once

#include "targets/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace aotc {

/// Every dimension is at least 1, the tensor has fewer than 2^31 bytes, and if
/// it is constant its bytes are as many as its shape says.
std::string rejectShape(const TensorDesc &tensor, llvm::StringRef what);

/// rejectShape, and the type is `type`: "input is s16, not s8".
std::string rejectTensor(const TensorDesc &tensor, DType type, llvm::StringRef what);

/// One finite positive scale and one zero point in the range of the type.
std::string rejectPerTensorQuant(const TensorDesc &tensor, llvm::StringRef what);

/// One finite positive scale, or `channels` of them along `axis`; one zero
/// point or as many as there are scales, all in the range of the type.
std::string rejectWeightQuant(const TensorDesc &weights, int64_t channels, int axis);

/// Absent, or `channels` constants of `type`.
std::string rejectBias(const OperatorDesc &op, DType type, int64_t channels);

/// The bias, if the operator has one.
const TensorDesc *biasOf(const OperatorDesc &op);

/// Strides, extents and padding of a 2-D window that fit the kernels' 32-bit
/// arithmetic. `padding` in elements.
std::string rejectWindow(const TensorDesc &input, const TensorDesc &output, int64_t extentH,
                         int64_t extentW, int64_t strideH, int64_t strideW, const Padding &padding);

/// As many operands and results, absent ones included, and options of the
/// expected kind.
template <typename Options>
std::string rejectSignature(const OperatorDesc &op, size_t inputs, size_t outputs) {
  if (op.inputs.size() != inputs)
    return std::to_string(op.inputs.size()) + " inputs";
  if (op.outputs.size() != outputs)
    return std::to_string(op.outputs.size()) + " outputs";
  return std::holds_alternative<Options>(op.options) ? "" : "options of another operator";
}

/// The shapes are equal.
std::string rejectShapeChange(const TensorDesc &input, const TensorDesc &output);

/// One operand and one result, of these types, and options of the expected kind.
template <typename Options> std::string rejectInOut(const OperatorDesc &op, DType in, DType out) {
  std::string reason = rejectSignature<Options>(op, 1, 1);
  if (reason.empty())
    reason = rejectTensor(op.inputs[0], in, "input");
  return reason.empty() ? rejectTensor(op.outputs[0], out, "output") : reason;
}

/// Sums of so many int8 fit lanes of 16 bits (kernels/average_s8.h).
std::string rejectTaps(int64_t taps);

/// True if some tap of some window lies outside the image.
bool isPadded(const TensorDesc &input, const TensorDesc &output, int64_t extentH, int64_t extentW,
              int64_t strideH, int64_t strideW, const Padding &padding);

/// What `check` says of the call that another kernel's prepare() made for a
/// reject() which builds on it. A failure is none of its reasons: prepare() builds
/// on it too and reports it.
std::string rejectPrepared(llvm::Expected<KernelCall> call,
                           llvm::function_ref<std::string(const KernelCall &)> check);

/// The first reason that is not empty.
template <typename... Checks> std::string firstReason(Checks &&...checks) {
  std::string reason;
  (void)((reason = checks(), !reason.empty()) || ...);
  return reason;
}

} // namespace aotc
