// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD, MUL and the unary operators against what they mean: integers to the
// bit, from wide arithmetic of this file's own; floats within a rounding.
#include "EveryKernel.h"
#include "Models.h"
#include "Values.h"

#include "targets/generic/Table.h"

#include <cmath>

using namespace aotc;
using namespace aotc::test;

/// The operand's element that meets element `index` of the result.
static double broadcastValue(const Case &c, size_t operand, int64_t index) {
  const TensorDesc &tensor = c.op.inputs[operand];
  const std::vector<int64_t> &out = c.op.outputs[0].shape;
  std::vector<int64_t> at = unflatten(index, out);
  at.erase(at.begin(), at.begin() + (out.size() - tensor.shape.size()));
  for (size_t i = 0; i < at.size(); ++i)
    at[i] = tensor.shape[i] == 1 ? 0 : at[i];
  return inputValue(c, operand, flatten(at, tensor.shape));
}

static double expectedBinary(const Case &c, int64_t index) {
  const TensorDesc &out = c.op.outputs[0];
  double a = broadcastValue(c, 0, index), b = broadcastValue(c, 1, index);
  bool add = c.op.op == "add";
  double value;
  if (out.type == DType::f32) {
    value = float(add ? float(a) + float(b) : float(a) * float(b));
  } else {
    const Quantization &qa = c.op.inputs[0].quant, &qb = c.op.inputs[1].quant;
    auto x = int32_t(a - double(qa.zeroPoint()));
    auto y = int32_t(b - double(qb.zeroPoint()));
    double sa = qa.scale(), sb = qb.scale(), so = out.quant.scale();
    if (add) {
      double twice = 2 * std::max(sa, sb);
      int64_t sum =
          modelRequantize(x * 1048576, sa / twice) + modelRequantize(y * 1048576, sb / twice);
      value = double(modelRequantize(int32_t(sum), twice / (1048576 * so)));
    } else {
      value = double(modelRequantize(x * y, sa * sb / so));
    }
    value += double(out.quant.zeroPoint());
  }
  return activated(value, c.op.as<BinaryOptions>().activation, out);
}

/// Another shape that broadcasts with `shape`, and the result of both, up to
/// rank 6.
static void broadcastShapes(Random &random, std::vector<int64_t> &lhs, std::vector<int64_t> &rhs,
                            std::vector<int64_t> &out) {
  for (int64_t rank = random.in(0, 6); rank > 0; --rank) {
    int64_t size = random.in(1, 4), kind = random.in(0, 3);
    out.push_back(size);
    lhs.push_back(kind == 1 ? 1 : size);
    rhs.push_back(kind == 2 ? 1 : size);
  }
  // Leading ones may be left out.
  std::vector<int64_t> &shorter = random.oneIn(2) ? lhs : rhs;
  while (!shorter.empty() && shorter[0] == 1 && random.oneIn(2))
    shorter.erase(shorter.begin());
}

TEST_CASE("add and mul broadcast and round as TFLite does") {
  auto op = GENERATE("add", "mul");
  auto type = GENERATE(DType::s8, DType::f32);
  Random random(5);
  int saturated = 0, values = 0;
  for (int round = 0; round < 400; ++round) {
    auto c = randomCase(op, type, random);
    std::vector<int64_t> shapes[3];
    broadcastShapes(random, shapes[0], shapes[1], shapes[2]);
    for (int i = 0; i < 2; ++i) {
      TensorDesc &tensor = c->op.inputs[i];
      tensor.shape = shapes[i];
      tensor.isConstant = false;
      std::vector<char> &bytes = c->inputs[i];
      bytes.clear();
      for (int64_t k = 0; k < tensor.elements(); ++k) {
        if (type == DType::s8) {
          bytes.push_back(char(random.in(-128, 127)));
          continue;
        }
        float value = float(random.real(-4, 4));
        bytes.insert(bytes.end(), reinterpret_cast<char *>(&value),
                     reinterpret_cast<char *>(&value + 1));
      }
    }
    c->op.outputs[0].shape = shapes[2];
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      double expected = expectedBinary(*c, int64_t(i));
      if (got[i] != expected)
        FAIL("round " << round << ", element " << i << ": " << got[i] << " is not " << expected);
      ++values;
      saturated += std::abs(got[i]) >= 127;
    }
  }
  CHECK(saturated * 2 < values);
}

TEST_CASE("every sum and product of two int8 values") {
  // Zero points at both ends: differences from -255 to 255.
  auto op = GENERATE("add", "mul");
  auto zeroPoint = GENERATE(-128, 127, 3);
  // Usual ones; equal ones; ratios of which the multiplier is tiny or 0; a
  // result in coarse, fine and far too coarse steps.
  auto [lhs, rhs, out] = GENERATE(table<double, double, double>({{0.0235, 0.0471, 0.0617},
                                                                 {0.5, 0.5, 1},
                                                                 {1e-9, 1, 1},
                                                                 {1, 1e-12, 0.7},
                                                                 {1, 0.999, 40},
                                                                 {1, 1, 2e-4},
                                                                 {1, 1, 1e6}}));
  auto c = std::make_unique<Case>();
  c->op.op = op;
  c->op.inputs = {described(DType::s8, lhs, zeroPoint), described(DType::s8, rhs, -128)};
  c->op.inputs[0].shape = {256, 1};
  c->op.inputs[1].shape = {256};
  for (int i = 0; i < 2; ++i) {
    c->inputs.emplace_back(256);
    std::iota(c->inputs[i].begin(), c->inputs[i].end(), char(-128));
  }
  c->op.outputs = {described(DType::s8, out, 5)};
  c->op.outputs[0].shape = {256, 256};
  c->op.options = BinaryOptions{};
  std::vector<double> got = results(*c);
  REQUIRE(got.size() == 65536);
  for (size_t i = 0; i < got.size(); ++i)
    if (double expected = expectedBinary(*c, int64_t(i)); got[i] != expected)
      FAIL("element " << i << ": " << got[i] << " is not " << expected);
}

/// All 256 values of an 8-bit type.
static std::vector<int8_t> allBytes() {
  std::vector<int8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), int8_t(-128));
  return bytes;
}

TEST_CASE("8-bit relu, relu6 and quantize rescale with two roundings") {
  Random random(13);
  const Activation relus[] = {Activation::relu, Activation::relu6, Activation::none};
  const char *ops[] = {"relu", "relu6", "quantize"};
  for (int round = 0; round < 600; ++round) {
    int which = round % 3;
    auto pick = [&] {
      DType type = which == 2 ? random.of({DType::s8, DType::u8}) : DType::s8;
      auto [low, high] = rangeOf(type);
      return described(type, std::exp2(random.real(-7, 1)),
                       random.of({int64_t(low), int64_t(high), int64_t(3),
                                  random.in(int64_t(low), int64_t(high))}));
    };
    auto c = unaryCase(ops[which], pick(), pick(), allBytes());
    const TensorDesc &in = c->op.inputs[0], &out = c->op.outputs[0];
    // RELU divides the scales as floats.
    double ratio = which == 2 ? in.quant.scale() / out.quant.scale()
                              : float(in.quant.scale()) / float(out.quant.scale());
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      double x = inputValue(*c, 0, int64_t(i)) - double(in.quant.zeroPoint());
      double expected = activated(
          double(modelRequantize(int32_t(x), ratio) + out.quant.zeroPoint()), relus[which], out);
      if (got[i] != expected)
        FAIL(ops[which] << " of " << x << ": " << got[i] << " is not " << expected);
    }
  }
}

TEST_CASE("a table is read by the bits of the operand") {
  TableOptions options;
  for (int i = 0; i < 256; ++i)
    options.table.push_back(char(255 - i)); // the complement of the bits
  std::vector<int8_t> x = {0, 1, 127, -128, -1};
  auto c =
      unaryCase("table", described(DType::s8, 0.5, 3), described(DType::s8, 2, -1), x, options);
  CHECK(results(*c) == std::vector<double>{-1, -2, -128, 127, 0});
  c = unaryCase("table", described(DType::s8, 0.5, 3), described(DType::u8, 2, 9), x, options);
  CHECK(results(*c) == std::vector<double>{255, 254, 128, 127, 0});
  c = unaryCase("table", described(DType::u8, 0.5, 3), described(DType::s8, 2, 9),
                std::vector<uint8_t>{0, 1, 127, 128, 255}, options);
  CHECK(results(*c) == std::vector<double>{-1, -2, -128, 127, 0});
}

TEST_CASE("tables of every level: all bytes, and numbers of them around a block") {
  TableOptions options;
  for (int i = 0; i < 256; ++i)
    options.table.push_back(char(i * 7 + (i >> 4))); // differs from sixteen to sixteen
  for (const KernelRow *row : runnableRows()) {
    if (row->op != "table" || row->variant != "s8")
      continue;
    for (int64_t count : {1, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257}) {
      std::vector<int8_t> x;
      std::vector<char> expected;
      for (int64_t i = 0; i < count; ++i) {
        x.push_back(int8_t(i));
        expected.push_back(options.table[uint8_t(i)]);
      }
      auto c =
          unaryCase("table", described(DType::s8, 0.5, 3), described(DType::s8, 2, -1), x, options);
      llvm::Expected<KernelCall> call = row->prepare(c->op);
      REQUIRE(bool(call));
      CHECK(tableOf(*call) == llvm::ArrayRef<char>(options.table));
      INFO(row->symbol.str() << ", " << count << " bytes");
      RunOptions down;
      down.descending = true;
      CHECK(runKernel(*call, *c) == expected);
      CHECK(runKernel(*call, *c, down) == expected);
    }
  }
}

TEST_CASE("float relu and relu6 keep what they need not clamp") {
  const float infinity = HUGE_VALF;
  std::vector<float> x = {-infinity, -1, -1e-40f, 0, 1e-40f, 5.5f, 6, 6.5f, infinity};
  auto relu = unaryCase("relu", described(DType::f32), described(DType::f32), x);
  CHECK(results(*relu) == std::vector<double>{0, 0, 0, 0, double(1e-40f), 5.5, 6, 6.5, HUGE_VAL});
  auto relu6 = unaryCase("relu6", described(DType::f32), described(DType::f32), x);
  CHECK(results(*relu6) == std::vector<double>{0, 0, 0, 0, double(1e-40f), 5.5, 6, 6, 6});
  x = {std::nanf("")};
  CHECK(
      std::isnan(results(*unaryCase("relu", described(DType::f32), described(DType::f32), x))[0]));
}

TEST_CASE("int8 logistic is the nearest step") {
  Random random(17);
  for (int round = 0; round < 300; ++round) {
    auto c = unaryCase("logistic",
                       described(DType::s8, std::exp2(random.real(-9, 0)), random.in(-128, 127)),
                       described(DType::s8, 1.0 / 256, -128), allBytes());
    const Quantization &in = c->op.inputs[0].quant;
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      double x = in.scale() * (inputValue(*c, 0, int64_t(i)) - double(in.zeroPoint()));
      double steps = std::min(256 / (1 + std::exp(-x)) - 128, 127.0);
      // Four float roundings of a number below 1, times 256: 256 * 2^-22.
      if (!(std::abs(got[i] - steps) <= 0.5 + 256 * 0x1p-22))
        FAIL("logistic(" << x << ") is " << got[i] << ", not " << steps);
    }
  }
}

TEST_CASE("float logistic") {
  std::vector<float> x;
  for (float v = -110; v < 30; v += 0.0371f)
    x.push_back(v);
  auto c = unaryCase("logistic", described(DType::f32), described(DType::f32), x);
  std::vector<double> got = results(*c);
  for (size_t i = 0; i < x.size(); ++i) {
    double expected = 1 / (1 + std::exp(-double(x[i])));
    // Three ulp, or one of the smallest subnormals.
    if (!(std::abs(got[i] - expected) <= 3 * expected * 0x1p-23 + 0x1p-149))
      FAIL("logistic(" << x[i] << ") is " << got[i] << ", not " << expected);
  }
  x = {-HUGE_VALF, HUGE_VALF, 0};
  c = unaryCase("logistic", described(DType::f32), described(DType::f32), x);
  CHECK(results(*c) == std::vector<double>{0, 1, 0.5});
}

TEST_CASE("quantize from float: halves away from zero, saturated") {
  // scale 1/2, zero point 10: x becomes round(2x) + 10.
  std::vector<float> x = {0,     0.25f, -0.25f, 0.2499f, 0.75f,  -0.75f,    58.5f,
                          58.7f, -69,   -69.3f, 1e30f,   -1e30f, HUGE_VALF, -HUGE_VALF};
  auto c = unaryCase("quantize", described(DType::f32), described(DType::s8, 0.5, 10), x);
  CHECK(results(*c) ==
        std::vector<double>{10, 11, 9, 10, 12, 8, 127, 127, -128, -128, 127, -128, 127, -128});
  // The largest float below 1/2 plus 1/2 is 1 in float: it must not round up.
  x = {0.49999997f, -0.49999997f};
  c = unaryCase("quantize", described(DType::f32), described(DType::s8, 1, 0), x);
  CHECK(results(*c) == std::vector<double>{0, 0});
}

TEST_CASE("quantize from float divides in float") {
  auto type = GENERATE(DType::s8, DType::u8, DType::s16);
  auto [low, high] = rangeOf(type);
  Random random(19);
  for (int round = 0; round < 100; ++round) {
    float scale = float(std::exp2(random.real(-9, 1)));
    std::vector<float> x(200);
    for (float &v : x) // half of them near a tie
      v = random.oneIn(2) ? float(random.real(-1.2, 1.2) * (high - low) * scale)
                          : scale * (float(random.in(int64_t(low), int64_t(high))) + 0.5f);
    auto c = unaryCase("quantize", described(DType::f32),
                       described(type, scale, random.in(int64_t(low), int64_t(high))), x);
    double zero = double(c->op.outputs[0].quant.zeroPoint());
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < x.size(); ++i) {
      double expected = std::clamp(double(std::round(x[i] / scale)) + zero, low, high);
      if (got[i] != expected)
        FAIL(x[i] << " / " << scale << ": " << got[i] << " is not " << expected);
    }
  }
}

TEST_CASE("dequantize, per tensor and per channel") {
  auto type = GENERATE(DType::s8, DType::u8, DType::s16);
  Random random(23);
  for (int round = 0; round < 200; ++round) {
    auto c = randomCase("dequantize", type, random);
    TensorDesc &in = c->op.inputs[0];
    int axis = int(random.in(0, int64_t(in.shape.size()) - 1));
    if (random.oneIn(2)) {
      auto [low, high] = rangeOf(type);
      in.quant = {{}, {}, axis};
      for (int64_t k = 0; k < in.shape[axis]; ++k) {
        in.quant.scales.push_back(float(random.real(1e-4, 2)));
        in.quant.zeroPoints.push_back(random.in(int64_t(low), int64_t(high)));
      }
    }
    std::vector<double> got = results(*c);
    for (size_t i = 0; i < got.size(); ++i) {
      size_t channel = unflatten(int64_t(i), in.shape)[axis];
      float expected = float(in.quant.scale(channel) *
                             (inputValue(*c, 0, int64_t(i)) - double(in.quant.zeroPoint(channel))));
      if (got[i] != double(expected))
        FAIL(got[i] << " is not " << expected);
    }
  }
}
