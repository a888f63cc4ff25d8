// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random operators with random operands: small, valid, and rich in borders,
// extreme zero points, one-pixel and one-channel shapes.
#pragma once

#include "targets/Kernel.h"

#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace aotc::test {

/// Equal sequences on every machine.
class Random {
public:
  explicit Random(uint32_t seed) : engine(seed) {}
  /// min <= result <= max
  int64_t in(int64_t min, int64_t max) { return min + int64_t(engine() % uint64_t(max - min + 1)); }
  bool oneIn(int64_t n) { return in(1, n) == 1; }
  double real(double min, double max) {
    return min + (max - min) * (double(engine()) / 4294967296.0);
  }
  template <typename T> T of(std::initializer_list<T> values) {
    return values.begin()[in(0, int64_t(values.size()) - 1)];
  }

private:
  std::mt19937 engine;
};

struct Case {
  OperatorDesc op;
  /// Bytes of every input, constant or not; op.inputs[i].constant points here.
  std::deque<std::vector<char>> inputs;

  Case() = default;
  Case(const Case &) = delete;

  template <typename T> T input(size_t operand, int64_t index) const {
    T value;
    memcpy(&value, inputs[operand].data() + index * sizeof(T), sizeof(T));
    return value;
  }
};

/// A valid operator whose first input has type `type`, or null for operators
/// this file does not know.
std::unique_ptr<Case> randomCase(llvm::StringRef op, DType type, Random &random);

/// The same for a pool or a mean of about as many elements as fit 16-bit sums,
/// extremes among them; null for other operators.
std::unique_ptr<Case> wideCase(llvm::StringRef op, DType type, Random &random);

/// CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED.
bool hasWeights(llvm::StringRef op);

/// Puts NaN, infinities, zeros of both signs, denormals and numbers around the bounds of
/// activations and exponentials into about one of `oneIn` floats of the run-time operands.
void addSpecialFloats(Case &c, Random &random, int oneIn);

/// Type of the first operand, by the first word of a variant ("s8_1x1").
DType typeOfVariant(llvm::StringRef variant);

} // namespace aotc::test
