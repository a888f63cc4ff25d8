// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The portable convolutions, fully connected layers and pools against
// independent models: int8 to the bit, float within 1e-5 + 1e-5 relative.
#include "Harness.h"
#include "Models.h"

#include "llvm/ADT/STLExtras.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace aotc;
using namespace aotc::test;

static const KernelRow &portableRow(llvm::StringRef op, DType type) {
  for (const KernelRow &row : allKernels())
    if (row.op == op && row.level == "ref" && row.variant == dtypeName(type))
      return row;
  FAIL("no portable " << op.str());
  std::abort();
}

static std::string describe(const Case &c) {
  std::string text = c.op.op + " ";
  for (const TensorDesc &tensor : c.op.inputs) {
    for (int64_t dim : tensor.shape)
      text += std::to_string(dim) + "x";
    text += " ";
  }
  return text;
}

TEST_CASE("portable kernels agree with independent models") {
  auto op =
      GENERATE("conv_2d", "depthwise_conv_2d", "fully_connected", "average_pool_2d", "max_pool_2d");
  auto type = GENERATE(DType::s8, DType::f32);
  const KernelRow &row = portableRow(op, type);
  Random random(20);
  int saturated = 0, values = 0;
  for (int round = 0; round < 500; ++round) {
    auto c = randomCase(op, type, random);
    INFO("round " << round << ": " << describe(*c));
    REQUIRE(row.reject(c->op) == "");
    llvm::Expected<KernelCall> call = row.prepare(c->op);
    REQUIRE(bool(call));
    REQUIRE(call->symbol == row.symbol);
    std::vector<char> got = runKernel(*call, *c);
    std::vector<double> expected = expectedOutput(*c);
    REQUIRE(got.size() == expected.size() * dtypeSize(type));
    for (size_t i = 0; i < expected.size(); ++i) {
      INFO("element " << i);
      if (type == DType::s8) {
        if (int8_t(got[i]) != expected[i])
          FAIL(int(int8_t(got[i])) << " is not " << expected[i]);
        ++values;
        saturated += expected[i] == -128 || expected[i] == 127;
        continue;
      }
      float value;
      memcpy(&value, &got[4 * i], 4);
      // Sums of up to 600 products of values up to 4: their magnitude, not
      // the result's, bounds the error.
      if (!(std::abs(value - expected[i]) <= 1e-4 + 1e-5 * std::abs(expected[i])))
        FAIL(value << " is not " << expected[i]);
    }
  }
  // The cases would prove little if most results were clamped.
  CHECK(saturated * 2 <= values);
}

TEST_CASE("sums wrap like those of the reference") {
  // 2^31 / 2^14 = 131072 products of -128 * -128 overflow to -2^31, which a
  // multiplier of 2^-24 makes -128.
  Random random(1);
  auto c = std::make_unique<Case>();
  c->op.op = "fully_connected";
  TensorDesc input, weights, output;
  input.type = weights.type = output.type = DType::s8;
  input.shape = {1, 131072}, weights.shape = {1, 131072}, output.shape = {1, 1};
  input.quant = weights.quant = {{1.0}, {0}, -1};
  output.quant = {{16777216.0}, {0}, -1};
  c->inputs.emplace_back(131072, char(-128));
  c->inputs.emplace_back(131072, char(-128));
  weights.isConstant = true;
  weights.constant = llvm::ArrayRef<char>(c->inputs[1]);
  c->op.inputs = {input, weights};
  c->op.outputs = {output};
  c->op.options = FullyConnectedOptions{};
  const KernelRow &row = portableRow("fully_connected", DType::s8);
  REQUIRE(row.reject(c->op) == "");
  llvm::Expected<KernelCall> call = row.prepare(c->op);
  REQUIRE(bool(call));
  CHECK(int8_t(runKernel(*call, *c)[0]) == -128);
}

TEST_CASE("which layers multiply their scales in float") {
  // 1.5 * (1 + 2^-23): as in FixedPointTest.cpp, 1.5 + 1.5 * 2^-23 in double,
  // 1.5 + 2 * 2^-23 in float; mantissas are 2^30 times that.
  const int32_t inDouble = 3 * (1 << 29) + 192, inFloat = 3 * (1 << 29) + 256;
  auto op = GENERATE("conv_2d", "depthwise_conv_2d", "fully_connected");
  Random random(4);
  for (int round = 0; round < 40; ++round) {
    auto c = randomCase(op, DType::s8, random);
    Quantization &weights = c->op.inputs[1].quant;
    c->op.inputs[0].quant.scales = {1.5};
    weights.scales.assign(weights.scales.size(), 1 + std::exp2(-23));
    c->op.outputs[0].quant.scales = {1.0};
    auto call = portableRow(op, DType::s8).prepare(c->op);
    REQUIRE(bool(call));
    auto multipliers = llvm::find_if(
        call->data, [](const KernelData &data) { return data.name == "multipliers"; });
    REQUIRE(multipliers != call->data.end());
    int32_t mantissa;
    memcpy(&mantissa, multipliers->bytes.data(), 4);
    bool floats = c->op.op == "fully_connected" && !weights.perChannel();
    CHECK(mantissa == (floats ? inFloat : inDouble));
  }
}

TEST_CASE("pixels of a pointwise convolution are one row") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    auto c = randomCase("conv_2d", DType::s8, random);
    const auto &options = c->op.as<Conv2DOptions>();
    const auto &in = c->op.inputs[0].shape, &out = c->op.outputs[0].shape;
    const auto &w = c->op.inputs[1].shape;
    if (w[1] * w[2] != 1 || options.strideH * options.strideW != 1)
      continue;
    llvm::Expected<KernelCall> call = portableRow("conv_2d", DType::s8).prepare(c->op);
    REQUIRE(bool(call));
    CHECK(call->rows->outRows == 1);
    CHECK(call->rows->batches == 1);
    CHECK(call->rows->inRowBytes == in[0] * in[1] * in[2] * in[3]);
    CHECK(call->rows->outRowBytes == out[0] * out[1] * out[2] * out[3]);
    CHECK(call->macs == out[0] * out[1] * out[2] * out[3] * w[3]);
  }
}
