// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOFTMAX and MEAN against their definitions. The fixed-point softmax is held
// to the exact function: its own error is far below a step. (Its very bits are
// those of the conformance suite.)
#include "Values.h"

#include <algorithm>
#include <bit>
#include <cmath>

using namespace aotc;
using namespace aotc::test;

static const SoftmaxOptions &beta(const Case &c) { return c.op.as<SoftmaxOptions>(); }

/// Exact softmax of every element.
static std::vector<double> exactSoftmax(const Case &c) {
  const TensorDesc &in = c.op.inputs[0];
  double scale = (in.quant.empty() ? 1 : in.quant.scale()) * beta(c).beta;
  int64_t depth = in.shape.back();
  std::vector<double> result;
  for (int64_t row = 0; row < in.elements() / depth; ++row) {
    double max = -HUGE_VAL, sum = 0;
    for (int64_t i = 0; i < depth; ++i)
      max = std::max(max, inputValue(c, 0, row * depth + i));
    for (int64_t i = 0; i < depth; ++i)
      sum += std::exp(scale * (inputValue(c, 0, row * depth + i) - max));
    for (int64_t i = 0; i < depth; ++i)
      result.push_back(std::exp(scale * (inputValue(c, 0, row * depth + i) - max)) / sum);
  }
  return result;
}

TEST_CASE("int8 softmax is the nearest step") {
  Random random(29);
  for (int round = 0; round < 500; ++round) {
    auto c = randomCase("softmax", DType::s8, random);
    std::vector<double> got = results(*c), exact = exactSoftmax(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      double steps = std::min(256 * exact[i] - 128, 127.0);
      // The last rounding is of a number with an error of some 2^-20.
      if (!(std::abs(got[i] - steps) <= 0.502))
        FAIL("round " << round << ", element " << i << ": " << got[i] << " is not " << steps);
    }
  }
}

TEST_CASE("int8 softmax of equal values, up to rows whose sum overflows") {
  // 1/n of 256 steps, halves away from zero; 256/512 = 0.5 is still 1 step,
  // from 513 on it is none. 4096 terms are 2^31 in the 12 integer bits.
  auto [count, steps] = GENERATE(table<int, int>({{1, 255},
                                                  {2, 128},
                                                  {3, 85},
                                                  {256, 1},
                                                  {511, 1},
                                                  {513, 0},
                                                  {1000, 0},
                                                  {4096, 0},
                                                  {5000, 0},
                                                  {8191, 0}}));
  std::vector<int8_t> x(count, 17);
  auto c = unaryCase("softmax", described(DType::s8, 0.1, 0), described(DType::s8, 1.0 / 256, -128),
                     x, SoftmaxOptions{1.0});
  INFO(count);
  CHECK(results(*c) == std::vector<double>(count, steps - 128));
}

TEST_CASE("int8 softmax of rows whose sum would wrap is refused") {
  // 2^13 terms of 2^19 are 2^32: a sum of 0.
  auto c = unaryCase("softmax", described(DType::s8, 0.1, 0), described(DType::s8, 1.0 / 256, -128),
                     std::vector<int8_t>(8192, 17), SoftmaxOptions{1.0});
  CHECK(refusal(*c) == "rows of more than 8,191 elements");
}

TEST_CASE("int8 softmax of scales near both ends") {
  // Huge: only the maximum counts. Tiny: all are equal, 256/4 = 64 steps.
  std::vector<int8_t> x = {-128, 127, 0, 126};
  auto with = [&](double scale) {
    return results(*unaryCase("softmax", described(DType::s8, scale, 0),
                              described(DType::s8, 1.0 / 256, -128), x, SoftmaxOptions{1.0}));
  };
  CHECK(with(1e6) == std::vector<double>{-128, 127, -128, -128});
  CHECK(with(30.0) == std::vector<double>{-128, 127, -128, -128});
  CHECK(with(1e-7) == std::vector<double>{-64, -64, -64, -64});
}

// The fixed-point softmax of TFLite in wide integers, from the definitions of gemmlowp's
// fixedpoint.h, apart from the kernels' own arithmetic. Qm.n: n bits after the point.

/// a * b / 2^31, rounded, halves up: a nudge, a truncating division.
static int64_t highProduct(int64_t a, int64_t b) {
  const int64_t product = a * b;
  return (product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / (int64_t(1) << 31);
}

/// round(x / 2^bits), halves away from zero.
static int64_t rounded(int64_t x, int64_t bits) {
  const int64_t half = (int64_t(1) << bits) >> 1;
  return x < 0 ? -((-x + half) >> bits) : (x + half) >> bits;
}

static int64_t saturated(int64_t x) { return std::clamp<int64_t>(x, INT32_MIN, INT32_MAX); }

/// e^x of x <= 0 in Q5.26, as Q0.31: of its part in [-1/4, 0) by the Taylor series around
/// -1/8, times e^(-2^k) for each further bit.
static int64_t fixedExp(int64_t x) {
  if (x == 0)
    return INT32_MAX;
  const int64_t quarter = 1 << 24, part = (x & (quarter - 1)) - quarter;
  const int64_t y = part * 32 + (1 << 28); // Q0.31
  const int64_t y2 = highProduct(y, y), y3 = highProduct(y2, y), y4 = highProduct(y2, y2);
  const int64_t third = std::llround(0x1p31 / 3);
  const int64_t higher = rounded(highProduct(rounded(y4, 2) + y3, third) + y2, 1);
  const int64_t middle = std::llround(std::exp(-0.125) * 0x1p31);
  int64_t result = saturated(middle + highProduct(middle, y + higher));
  for (int k = -2; k < 5; ++k)
    if ((part - x) >> (26 + k) & 1)
      result = highProduct(result, std::llround(std::exp(-std::exp2(k)) * 0x1p31));
  return result;
}

/// 1 / (1 + x), both Q0.31, by three steps of Newton's method from 48/17 - 32/17 d.
static int64_t fixedReciprocal(int64_t x) {
  const int64_t half = (x + INT32_MAX + 1) / 2; // the denominator halved, rounded
  int64_t y =
      std::llround(48.0 / 17 * 0x1p29) + highProduct(half, std::llround(-32.0 / 17 * 0x1p29));
  for (int i = 0; i < 3; ++i) // Q2.29
    y += saturated(4 * highProduct(y, (1 << 29) - highProduct(half, y)));
  return saturated(2 * y);
}

static std::vector<double> fixedPointSoftmax(const Case &c) {
  const int64_t depth = c.op.inputs[0].shape.back();
  int shift = 0;
  const double beta26 = std::min(beta(c).beta * c.op.inputs[0].quant.scale() * 0x1p26, 0x1p31 - 1);
  int64_t mantissa = std::llround(std::frexp(beta26, &shift) * 0x1p31);
  if (mantissa == int64_t(1) << 31)
    mantissa /= 2, ++shift;
  std::vector<double> result;
  for (int64_t row = 0; row < c.op.inputs[0].elements(); row += depth) {
    std::vector<int64_t> x;
    for (int64_t i = 0; i < depth; ++i)
      x.push_back(c.input<int8_t>(0, row + i));
    const int64_t max = *std::max_element(x.begin(), x.end());
    int64_t sum = 0; // Q12.19
    for (int64_t &value : x) {
      const int64_t scaled = (value - max) * (int64_t(1) << shift);
      value = scaled < -(int64_t(31) << 26) ? 0 : fixedExp(highProduct(scaled, mantissa));
      sum += rounded(value, 12);
    }
    const int headroom = std::countl_zero(uint32_t(sum)); // 2^31 <= sum * 2^headroom < 2^32
    const int64_t scale = fixedReciprocal((sum << headroom) - (int64_t(1) << 31));
    for (int64_t value : x)
      result.push_back(
          std::min<int64_t>(rounded(highProduct(scale, value), 12 - headroom + 31 - 8) - 128, 127));
  }
  return result;
}

TEST_CASE("what the table of exponentials leaves out has no part in int8 softmax") {
  Random random(30);
  for (int round = 0; round < 2000; ++round) {
    auto c = randomCase("softmax", DType::s8, random);
    if (results(*c) != fixedPointSoftmax(*c))
      FAIL("round " << round << ", scale " << c->op.inputs[0].quant.scale());
  }
}

TEST_CASE("float softmax") {
  Random random(31);
  for (int round = 0; round < 200; ++round) {
    auto c = randomCase("softmax", DType::f32, random);
    std::vector<double> got = results(*c), exact = exactSoftmax(*c);
    for (size_t i = 0; i < got.size(); ++i)
      if (!(std::abs(got[i] - exact[i]) <= 1e-6 * exact[i] + 1e-37))
        FAIL(got[i] << " is not " << exact[i]);
  }
}

/// Elements of the operand that become element `index` of the result.
static std::vector<double> averaged(const Case &c, int64_t index) {
  const std::vector<int64_t> &shape = c.op.inputs[0].shape;
  const std::vector<int64_t> &axes = c.op.as<ReduceOptions>().axes;
  std::vector<double> values;
  for (int64_t i = 0; i < c.op.inputs[0].elements(); ++i) {
    std::vector<int64_t> at = unflatten(i, shape), kept = shape;
    for (int64_t axis : axes)
      at[axis] = 0, kept[axis] = 1;
    if (flatten(at, kept) == index)
      values.push_back(inputValue(c, 0, i));
  }
  return values;
}

/// TFLite: the mantissa of the ratio of scales, shifted left as far as the
/// divisor allows, divided by the number of elements, truncated; then the usual
/// two roundings.
static double expectedMeanS8(const Case &c, const std::vector<double> &values) {
  const Quantization &in = c.op.inputs[0].quant, &out = c.op.outputs[0].quant;
  auto count = int64_t(values.size());
  int64_t sum = 0;
  for (double value : values)
    sum += int64_t(value) - in.zeroPoint();
  int exponent;
  auto mantissa =
      int64_t(std::llround(std::frexp(in.scale() / out.scale(), &exponent) * 2147483648.0));
  if (mantissa == 2147483648)
    mantissa /= 2, ++exponent;
  int shift = std::min(int(std::floor(std::log2(double(count)))), 31 + exponent);
  mantissa = (mantissa << shift) / count;
  exponent -= shift;
  auto left = int64_t(1) << std::max(exponent, 0);
  int64_t x = std::clamp<int64_t>(sum * left, INT32_MIN, INT32_MAX);
  double high = std::floor((double(x * mantissa) + 0x1p30) / 0x1p31);
  double result = std::round(high / std::exp2(std::max(-exponent, 0)));
  return std::clamp(result + double(out.zeroPoint()), -128.0, 127.0);
}

TEST_CASE("mean over any axes") {
  auto type = GENERATE(DType::s8, DType::f32);
  Random random(37);
  for (int round = 0; round < 300; ++round) {
    auto c = randomCase("mean", type, random);
    if (type == DType::s8)
      c->op.outputs[0].quant.scales = {float(c->op.inputs[0].quant.scale() * random.real(0.2, 3))};
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      std::vector<double> values = averaged(*c, int64_t(i));
      if (type == DType::s8) {
        double expected = expectedMeanS8(*c, values);
        if (got[i] != expected)
          FAIL("round " << round << ", element " << i << ": " << got[i] << " is not " << expected);
        continue;
      }
      double sum = std::accumulate(values.begin(), values.end(), 0.0);
      if (!(std::abs(got[i] - sum / double(values.size())) <= 1e-5))
        FAIL(got[i] << " is not " << sum / double(values.size()));
    }
  }
}

TEST_CASE("mean of a hundred thousand int8 values") {
  // All are -128 with zero point 127: -255 steps each, which is -128 again at
  // the same scale and zero point.
  std::vector<int8_t> x(100000, -128);
  TensorDesc out = described(DType::s8, 0.5, 127);
  auto c = unaryCase("mean", described(DType::s8, 0.5, 127), out, x, ReduceOptions{{0}, false});
  c->op.outputs[0].shape = {};
  CHECK(results(*c) == std::vector<double>{-128});
}
