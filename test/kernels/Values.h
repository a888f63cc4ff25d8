// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors as numbers, for tests that state what an operator computes.
#pragma once

#include "Harness.h"

#include <catch2/catch.hpp>

#include <numeric>

namespace aotc::test {

/// The index-th element at `bytes`; exact up to 53 bits.
inline double valueAt(DType type, const char *bytes, int64_t index) {
  auto as = [&]<typename T>(T value) {
    memcpy(&value, bytes + index * int64_t(sizeof(T)), sizeof(T));
    return double(value);
  };
  switch (type) {
  case DType::f32:
    return as(float());
  case DType::s8:
    return as(int8_t());
  case DType::u8:
    return as(uint8_t());
  case DType::s16:
    return as(int16_t());
  case DType::s32:
    return as(int32_t());
  case DType::s64:
    return as(int64_t());
  default:
    FAIL("no numbers");
    return 0;
  }
}

inline double inputValue(const Case &c, size_t operand, int64_t index) {
  return valueAt(c.op.inputs[operand].type, c.inputs[operand].data(), index);
}

inline std::pair<double, double> rangeOf(DType type) {
  return type == DType::s8   ? std::pair(-128.0, 127.0)
         : type == DType::u8 ? std::pair(0.0, 255.0)
                             : std::pair(-32768.0, 32767.0);
}

/// What TFLite's activation leaves of `value`, which is in steps of a quantised
/// output or real.
inline double activated(double value, Activation activation, const TensorDesc &output) {
  double low = -HUGE_VAL, high = HUGE_VAL;
  if (activation == Activation::relu || activation == Activation::relu6)
    low = 0;
  if (activation == Activation::relu6)
    high = 6;
  if (activation == Activation::relu_n1_to_1)
    low = -1, high = 1;
  if (!output.quant.empty()) {
    auto [least, most] = rangeOf(output.type);
    double zero = double(output.quant.zeroPoint());
    float scale = float(output.quant.scale());
    low = std::max(least, zero + std::round(float(low) / scale));
    high = std::min(most, zero + std::round(float(high) / scale));
  }
  return std::min(std::max(value, low), high);
}

/// Indices of `flat` in a row-major tensor of that shape.
inline std::vector<int64_t> unflatten(int64_t flat, const std::vector<int64_t> &shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t i = shape.size(); i-- > 0; flat /= shape[i])
    index[i] = flat % shape[i];
  return index;
}

inline int64_t flatten(const std::vector<int64_t> &index, const std::vector<int64_t> &shape) {
  int64_t flat = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    flat = flat * shape[i] + index[i];
  return flat;
}

/// Prepares `c` with the first portable row that takes it.
inline llvm::Expected<KernelCall> preparePortable(const Case &c) {
  TargetSpec target;
  target.levels = "ref";
  KernelChoice choice = chooseKernel(c.op, target);
  if (!choice.row)
    return llvm::createStringError(choice.remark);
  return choice.row->prepare(c.op);
}

/// Why no portable row takes `c`; empty: one does. Of several reasons the first row's.
inline std::string refusal(const Case &c) {
  std::string first;
  for (const KernelRow &row : allKernels())
    if (row.op == c.op.op && row.level == "ref") {
      std::string reason = row.reject(c.op);
      if (reason.empty())
        return "";
      if (first.empty() && typeOfVariant(row.variant) == c.op.inputs[0].type)
        first = reason;
    }
  return first;
}

/// Runs `c` and returns its results as numbers.
inline std::vector<double> results(const Case &c) {
  llvm::Expected<KernelCall> call = preparePortable(c);
  if (!call)
    FAIL(llvm::toString(call.takeError()));
  std::vector<char> bytes = runKernel(*call, c);
  std::vector<double> values;
  for (int64_t i = 0; i < c.op.outputs[0].elements(); ++i)
    values.push_back(valueAt(c.op.outputs[0].type, bytes.data(), i));
  return values;
}

/// A case of one operand with these values.
template <typename T>
std::unique_ptr<Case> unaryCase(llvm::StringRef op, TensorDesc input, TensorDesc output,
                                const std::vector<T> &values,
                                OperatorOptions options = UnaryOptions{}) {
  auto c = std::make_unique<Case>();
  c->op.op = op.str();
  if (input.shape.empty())
    input.shape = output.shape = {int64_t(values.size())};
  auto *bytes = reinterpret_cast<const char *>(values.data());
  c->inputs.emplace_back(bytes, bytes + values.size() * sizeof(T));
  c->op.inputs = {std::move(input)};
  c->op.outputs = {std::move(output)};
  c->op.options = std::move(options);
  return c;
}

/// A tensor description without a shape.
inline TensorDesc described(DType type) {
  TensorDesc tensor;
  tensor.type = type;
  return tensor;
}
inline TensorDesc described(DType type, double scale, int64_t zeroPoint) {
  TensorDesc tensor = described(type);
  tensor.quant = {{double(float(scale))}, {zeroPoint}, -1};
  return tensor;
}

} // namespace aotc::test
