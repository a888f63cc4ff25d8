// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification changes no bit: random small graphs, rich in what the passes
// look for and in what they must leave alone, give the same bytes before and
// after the phase.
#include "Graphs.h"

#include <catch2/catch.hpp>

using namespace aotc;
using namespace aotc::test;

TEST_CASE("PAD before convolutions") {
  Graphs graphs;
  Random random(1);
  int folded = 0;
  for (int round = 0; round < 150; ++round) {
    int64_t h = random.in(3, 5), w = random.in(3, 5), inC = random.in(1, 3), outC = random.in(1, 3),
            kh = random.in(1, 3), kw = random.in(1, 3), stride = random.in(1, 2);
    bool depthwise = random.oneIn(2);
    if (depthwise)
      outC = inC;
    // Seldom wider than the filter, which is left alone.
    int64_t mostH = random.oneIn(4) ? 2 : kh - 1, mostW = random.oneIn(4) ? 2 : kw - 1;
    llvm::SmallVector<int64_t> before = {0, random.in(0, mostH), random.in(0, mostW), 0};
    llvm::SmallVector<int64_t> after = {0, random.in(0, mostH), random.in(0, mostW), 0};
    int64_t ph = h + before[1] + after[1], pw = w + before[2] + after[2];
    std::string in = random.oneIn(4) ? "f32" : quantType(random);
    bool isFloat = in == "f32";
    std::string padded = isFloat || !random.oneIn(4) ? in : quantType(random);
    std::string weight = isFloat ? in : quantType(random, true);
    std::string out = isFloat ? in : quantType(random);
    llvm::SmallVector<int64_t> weightShape = {outC, kh, kw, inC};
    if (depthwise)
      weightShape = {1, kh, kw, outC};
    std::string x = tensor({1, h, w, inC}, in), p = tensor({1, ph, pw, inC}, padded),
                wt = tensor(weightShape, weight),
                y = tensor({1, (ph - kh) / stride + 1, (pw - kw) / stride + 1, outC}, out);
    std::string source =
        "func.func @main(%x: " + x + ") -> " + y +
        " {\n  %w = " + constantBytes(weightShape, weight, random) +
        "\n  %0 = nn.pad %x {before = " + list(before) + ", after = " + list(after) + "} : (" + x +
        ") -> " + p + "\n  %1 = nn." + (depthwise ? "depthwise_conv_2d" : "conv_2d") +
        " %0, %w {strides = " + list({stride, stride}) + ", dilations = " + list({1, 1}) +
        ", padding = " + list({0, 0, 0, 0}) + (depthwise ? ", depth_multiplier = 1 : i64" : "") +
        "} : (" + p + ", " + wt + ") -> " + y + "\n  return %1 : " + y + "\n}\n";
    folded += graphs.check(source, "nn.pad", random);
  }
  CHECK(folded > 30); // both ways are taken
  CHECK(folded < 120);
}

TEST_CASE("PAD before max pools") {
  Graphs graphs;
  Random random(5);
  int folded = 0;
  for (int round = 0; round < 50; ++round) {
    int64_t h = random.in(3, 5), w = random.in(3, 5), kh = random.in(2, 3), kw = random.in(2, 3);
    llvm::SmallVector<int64_t> before = {0, random.in(0, kh - 1), random.in(0, kw - 1), 0};
    llvm::SmallVector<int64_t> after = {0, random.in(0, kh - 1), random.in(0, kw - 1), 0};
    int64_t ph = h + before[1] + after[1], pw = w + before[2] + after[2];
    std::string element = random.oneIn(3) ? "f32" : quantType(random);
    bool relu = random.oneIn(2);
    std::string x = tensor({2, h, w, 2}, element), p = tensor({2, ph, pw, 2}, element),
                y = tensor({2, ph - kh + 1, pw - kw + 1, 2}, element);
    std::string source = "func.func @main(%x: " + x + ") -> " + y + " {\n  %0 = nn." +
                         (relu ? "relu" : "reshape") + " %x : (" + x + ") -> " + x +
                         "\n  %1 = nn.pad %0 {before = " + list(before) +
                         ", after = " + list(after) + "} : (" + x + ") -> " + p +
                         "\n  %2 = nn.max_pool_2d %1 {filter = " + list({kh, kw}) +
                         ", strides = " + list({1, 1}) + ", padding = " + list({0, 0, 0, 0}) +
                         "} : (" + p + ") -> " + y + "\n  return %2 : " + y + "\n}\n";
    folded += graphs.check(source, "nn.pad", random);
  }
  CHECK(folded > 10);
  CHECK(folded < 40);
}

TEST_CASE("RELU and RELU6 after what can clamp") {
  Graphs graphs;
  Random random(2);
  int folded = 0;
  for (int round = 0; round < 150; ++round) {
    std::string in = random.oneIn(4) ? "f32" : quantType(random);
    bool isFloat = in == "f32";
    std::string out = isFloat ? in : quantType(random);
    std::string clamped = isFloat || !random.oneIn(3) ? out : quantType(random);
    std::string relu = random.oneIn(2) ? "nn.relu" : "nn.relu6";
    std::string x = tensor({1, 4, 4, 2}, in), y, middle;
    std::string body;
    switch (random.in(0, 3)) {
    case 0:
    case 1: {
      middle = tensor({1, 4, 4, 2}, out);
      body = (random.oneIn(2) ? "nn.add" : "nn.mul") + std::string(" %x, %x : (") + x + ", " + x +
             ") -> " + middle;
      y = tensor({1, 4, 4, 2}, clamped);
      break;
    }
    case 2: {
      std::string weight = isFloat ? in : quantType(random, true);
      body = constantBytes({3, 8}, weight, random) + "\n  %0 = nn.fully_connected %x, %w : (" + x +
             ", " + tensor({3, 8}, weight) + ") -> ";
      middle = tensor({4, 3}, out), y = tensor({4, 3}, clamped);
      body += middle;
      break;
    }
    default:
      out = in; // pools keep the quantisation
      clamped = isFloat || !random.oneIn(3) ? out : quantType(random);
      middle = tensor({1, 2, 2, 2}, out), y = tensor({1, 2, 2, 2}, clamped);
      body = (random.oneIn(2) ? "nn.max_pool_2d" : "nn.average_pool_2d") +
             std::string(" %x {filter = ") + list({2, 2}) + ", strides = " + list({2, 2}) +
             ", padding = " + list({0, 0, 0, 0}) + "} : (" + x + ") -> " + middle;
    }
    bool hasWeights = llvm::StringRef(body).starts_with("nn.constant");
    std::string source = "func.func @main(%x: " + x + ") -> " + y + " {\n  " +
                         (hasWeights ? "%w = " : "%0 = ") + body + "\n  %1 = " + relu + " %0 : (" +
                         middle + ") -> " + y + "\n  return %1 : " + y + "\n}\n";
    folded += graphs.check(source, relu, random);
  }
  CHECK(folded > 60);
  CHECK(folded < 140);
}

TEST_CASE("QUANTIZE, DEQUANTIZE and RESHAPE that lead back") {
  Graphs graphs;
  Random random(3);
  int folded = 0;
  for (int round = 0; round < 100; ++round) {
    // 2^-120 … 2^120: the ends are not folded.
    double scale = double(float(std::ldexp(random.real(1, 2), int(random.in(-120, 120)))));
    std::string in = text("!quant.uniform<i8:f32, %.17e:%d>", scale, int(random.in(-128, 127)));
    std::string x = tensor({16, 16}, in), flat = tensor({256}, in), real = tensor({256}, "f32");
    std::string source = "func.func @main(%x: " + x + ") -> " + x + " {\n  %0 = nn.reshape %x : (" +
                         x + ") -> " + flat + "\n  %1 = nn.dequantize %0 : (" + flat + ") -> " +
                         real + "\n  %2 = nn.quantize %1 : (" + real + ") -> " + flat +
                         "\n  %3 = nn.reshape %2 : (" + flat + ") -> " + x +
                         "\n  return %3 : " + x + "\n}\n";
    folded += graphs.check(source, "nn.quantize", random);
  }
  CHECK(folded > 60);
  CHECK(folded < 100);
}

TEST_CASE("functions of one byte after one another") {
  Graphs graphs;
  Random random(9);
  int without = 0;
  for (int round = 0; round < 100; ++round) {
    // All 256 bytes, so that the whole table is compared.
    std::string element = quantType(random), body, start = tensor({16, 16}, element), x = start;
    int64_t count = 0, length = random.in(2, 4);
    auto emit = [&](const char *op, const std::string &to) {
      body += text("  %%%d = nn.%s %%%s : (%s) -> %s\n", int(count), op,
                   count ? std::to_string(count - 1).c_str() : "x", x.c_str(), to.c_str());
      ++count;
      x = to;
    };
    bool flat = false, isSigned = true;
    for (int64_t i = 0; i < length; ++i) {
      const char *op = isSigned ? random.of<const char *>({"relu", "relu6", "logistic", "quantize"})
                                : "quantize";
      element = quantType(random);
      isSigned = op != std::string("quantize") || random.oneIn(2);
      if (!isSigned)
        element = text("!quant.uniform<u8:f32, %.17e:%d>", double(float(random.real(0.005, 0.5))),
                       int(random.in(0, 255)));
      auto shaped = [&] { return flat ? tensor({256}, element) : tensor({16, 16}, element); };
      emit(op, shaped());
      if (random.oneIn(3)) {
        flat = !flat;
        emit("reshape", shaped());
      }
    }
    std::string source = "func.func @main(%x: " + start + ") -> " + x + " {\n" + body +
                         "  return %" + std::to_string(count - 1) + " : " + x + "\n}\n";
    without += graphs.check(source, "nn.table", random);
  }
  CHECK(without == 0);
}

TEST_CASE("operators on constants") {
  Graphs graphs;
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    std::string q = quantType(random), a = tensor({2, 3}, q), f = tensor({2, 3}, "f32");
    std::string padded = tensor({4, 4}, q), all = tensor({4, 7}, q), real = tensor({4, 7}, "f32");
    // The sum is taken of floats, the rest of bytes: all in one chain.
    std::string activation = random.of({"none", "relu", "relu6", "relu_n1_to_1"});
    std::string source =
        "func.func @main() -> (" + real + ", " + all +
        ") {\n  %a = " + constantBytes({2, 3}, "f32", random) +
        "\n  %b = " + constantBytes({3}, "f32", random) +
        "\n  %c = " + constantBytes({4, 3}, q, random) + "\n  %0 = nn." +
        (random.oneIn(2) ? "add" : "mul") + " %a, %b {activation = #nn.act<" + activation +
        ">} : (" + f + ", tensor<3xf32>) -> " + f + "\n  %1 = nn.quantize %0 : (" + f + ") -> " +
        a + "\n  %2 = nn.pad %1 {before = " + list({1, 0}) + ", after = " + list({1, 1}) + "} : (" +
        a + ") -> " + padded + "\n  %3 = nn.concatenation %2, %c {axis = 1 : i64} : (" + padded +
        ", " + tensor({4, 3}, q) + ") -> " + all + "\n  %4 = nn.dequantize %3 : (" + all + ") -> " +
        real + "\n  return %4, %3 : " + real + ", " + all + "\n}\n";
    CHECK(graphs.check(source, "nn.dequantize", random));
  }
}

TEST_CASE("TRANSPOSE among QUANTIZE, DEQUANTIZE, MEAN and others of its kind") {
  Graphs graphs;
  Random random(8);
  int folded = 0;
  auto shuffled = [&](llvm::ArrayRef<int64_t> shape, llvm::SmallVector<int64_t> &perm) {
    llvm::SmallVector<int64_t> result;
    perm.clear();
    for (size_t i = 0; i < shape.size(); ++i)
      perm.insert(perm.begin() + random.in(0, int64_t(i)), int64_t(i));
    for (int64_t dim : perm)
      result.push_back(shape[dim]);
    return result;
  };
  for (int round = 0; round < 150; ++round) {
    // Two transpositions (of which one of floats), then a mean over any axes.
    std::string q = quantType(random), r = quantType(random);
    llvm::SmallVector<int64_t> perm, a(random.in(2, 5)), kept, axes;
    for (int64_t &dim : a)
      dim = random.in(1, 4);
    std::string x = tensor(a, "f32"), source = "func.func @main(%x: " + x + ") -> ";
    llvm::SmallVector<int64_t> b = shuffled(a, perm);
    std::string body = " {\n  %0 = nn.transpose %x {perm = " + list(perm) + "} : (" + x + ") -> " +
                       tensor(b, "f32") + "\n  %1 = nn.quantize %0 : (" + tensor(b, "f32") +
                       ") -> " + tensor(b, q);
    llvm::SmallVector<int64_t> c = shuffled(b, perm);
    body += "\n  %2 = nn.transpose %1 {perm = " + list(perm) + "} : (" + tensor(b, q) + ") -> " +
            tensor(c, q);
    bool keep = random.oneIn(2);
    for (size_t i = 0; i < c.size(); ++i) {
      bool reduced = random.oneIn(2);
      if (reduced)
        axes.push_back(int64_t(i));
      if (!reduced || keep)
        kept.push_back(reduced ? 1 : c[i]);
    }
    body += "\n  %3 = nn.mean %2 {axes = " + list(axes) +
            ", keep_dims = " + (keep ? "true" : "false") + "} : (" + tensor(c, q) + ") -> " +
            tensor(kept, r) + "\n  %4 = nn.dequantize %3 : (" + tensor(kept, r) + ") -> " +
            tensor(kept, "f32");
    llvm::SmallVector<int64_t> d = shuffled(kept, perm);
    body += "\n  %5 = nn.transpose %4 {perm = " + list(perm) + "} : (" + tensor(kept, "f32") +
            ") -> " + tensor(d, "f32") + "\n  return %5 : " + tensor(d, "f32") + "\n}\n";
    folded += graphs.check(source + tensor(d, "f32") + body, "nn.transpose", random);
  }
  // None is left where at most one dimension is.
  CHECK(folded > 50);
  CHECK(folded < 140);
}

namespace {

/// A random graph of operators the passes know, on small NHWC tensors, with
/// values that are used again, or not at all.
class GraphWriter {
public:
  explicit GraphWriter(Random &random) : random(random) {
    types = {"f32", quantType(random), quantType(random)};
    values.push_back({"%x", {1, 4, 4, 2}, pick(types)});
    input = type(values[0]);
  }

  std::string write(int operators) {
    for (int i = 0; i < operators; ++i)
      addOperator();
    const Value a = values.back(), b = pick(values);
    return "func.func @main(%x: " + input + ") -> (" + type(a) + ", " + type(b) + ") {\n" + body +
           "  return " + a.name + ", " + b.name + " : " + type(a) + ", " + type(b) + "\n}\n";
  }

private:
  struct Value {
    std::string name;
    std::vector<int64_t> shape;
    std::string element;
    bool isFloat() const { return element == "f32"; }
  };

  template <typename T> T pick(const std::vector<T> &from) {
    return from[random.in(0, int64_t(from.size()) - 1)];
  }
  static std::string type(const Value &value) { return tensor(value.shape, value.element); }

  void emit(const std::string &op, const std::vector<Value> &operands,
            const std::string &attributes, Value result) {
    std::string names, types;
    for (const Value &operand : operands) {
      names += (names.empty() ? "" : ", ") + operand.name;
      types += (types.empty() ? "" : ", ") + type(operand);
    }
    result.name = "%" + std::to_string(count++);
    body += "  " + result.name + " = nn." + op + " " + names +
            (attributes.empty() ? "" : " {" + attributes + "}") + " : (" + types + ") -> " +
            type(result) + "\n";
    values.push_back(result);
  }

  /// A quantised type for integers, float for floats: mostly the value's own.
  std::string likeType(const Value &value) {
    return value.isFloat() ? "f32" : random.oneIn(3) ? types[random.in(1, 2)] : value.element;
  }

  void addOperator() {
    Value in = random.oneIn(2) ? values.back() : pick(values), out = in;
    const int64_t h = in.shape[1], w = in.shape[2], c = in.shape[3];
    switch (random.in(0, 10)) {
    case 9: {
      llvm::SmallVector<int64_t> perm = {0, 1, 2, 3};
      for (int64_t i = 3; i > 1; --i)
        std::swap(perm[i], perm[random.in(1, i)]);
      for (int64_t d = 0; d < 4; ++d)
        out.shape[d] = in.shape[perm[d]];
      out.element = likeType(in);
      return emit("transpose", {in}, "perm = " + list(perm), out);
    }
    case 10: {
      bool both = random.oneIn(2);
      out.shape = {1, both ? 1 : h, 1, c};
      out.element = likeType(in);
      return emit("mean", {in},
                  "axes = " + (both ? list({1, 2}) : list({2})) + ", keep_dims = true", out);
    }
    case 0:
      out.shape =
          random.oneIn(2) ? std::vector<int64_t>{1, w, h, c} : std::vector<int64_t>{1, 1, h * w, c};
      return emit("reshape", {in}, "", out);
    case 1:
    case 2:
      out.element = in.isFloat() || random.oneIn(2) ? types[random.in(1, 2)] : "f32";
      return emit(out.isFloat() ? "dequantize" : "quantize", {in}, "", out);
    case 3: {
      int64_t t = random.in(0, 1), l = random.in(0, 1), r = random.in(0, 1);
      out.shape = {1, h + t, w + l + r, c};
      out.element = likeType(in);
      return emit("pad", {in}, "before = " + list({0, t, l, 0}) + ", after = " + list({0, 0, r, 0}),
                  out);
    }
    case 4:
      return emit(random.oneIn(2) ? "relu" : "relu6", {in}, "", out);
    case 5:
      out.element = likeType(in);
      return emit("add", {in, in}, "", out);
    case 6:
      if (h < 2 || w < 2)
        return;
      out.shape = {1, h - 1, w - 1, c};
      return emit("max_pool_2d", {in},
                  "filter = " + list({2, 2}) + ", strides = " + list({1, 1}) +
                      ", padding = " + list({0, 0, 0, 0}),
                  out);
    case 7: {
      Value weights{"%" + std::to_string(count++),
                    {2, 2, 2, c},
                    in.isFloat() ? "f32" : quantType(random, true)};
      if (h < 2 || w < 2)
        return;
      body += "  " + weights.name + " = " + constantBytes(weights.shape, weights.element, random) +
              "\n";
      out.shape = {1, h - 1, w - 1, 2};
      out.element = likeType(in);
      return emit("conv_2d", {in, weights},
                  "strides = " + list({1, 1}) + ", dilations = " + list({1, 1}) +
                      ", padding = " + list({0, 0, 0, 0}),
                  out);
    }
    default: {
      Value constant{"%" + std::to_string(count++), {1, 2, 2, 2}, pick(types)};
      body += "  " + constant.name + " = " +
              constantBytes(constant.shape, constant.element, random) + "\n";
      values.push_back(constant);
    }
    }
  }

  Random &random;
  std::vector<std::string> types;
  std::vector<Value> values;
  std::string input, body;
  int count = 0;
};

} // namespace

// The verifier at the end of the phase fails where one pass makes work for an
// earlier one.
TEST_CASE("random graphs") {
  Graphs graphs;
  Random random(7);
  for (int round = 0; round < 400; ++round)
    graphs.check(GraphWriter(random).write(int(random.in(4, 14))), "", random);
}
