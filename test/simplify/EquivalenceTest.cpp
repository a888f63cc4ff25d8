// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification changes no bit: random small graphs, rich in what the passes
// look for and in what they must leave alone, give the same bytes before and
// after the phase.
#include "Interpreter.h"

#include "compiler/simplify/Passes.h"
#include "test/kernels/Cases.h"

#include <catch2/catch.hpp>

#include "mlir/Parser/Parser.h"

using namespace aotc;
using namespace aotc::test;

namespace {

std::string text(const char *format, auto... values) {
  char buffer[1000];
  snprintf(buffer, sizeof(buffer), format, values...);
  return buffer;
}

std::string list(llvm::ArrayRef<int64_t> values) {
  std::string result = "array<i64: ";
  for (auto [i, value] : llvm::enumerate(values))
    result += (i ? ", " : "") + std::to_string(value);
  return result + ">";
}

std::string tensor(llvm::ArrayRef<int64_t> shape, const std::string &element) {
  std::string result = "tensor<";
  for (int64_t dim : shape)
    result += std::to_string(dim) + "x";
  return result + element + ">";
}

/// An int8 type; borders of the zero point's range are frequent.
std::string quantType(Random &random, bool symmetric = false) {
  int64_t zeroPoint = random.of<int64_t>({-128, 127, 0, random.in(-128, 127)});
  return text("!quant.uniform<i8:f32, %.17e:%d>", double(float(random.real(0.005, 0.5))),
              int(symmetric ? 0 : zeroPoint));
}

std::string constantBytes(llvm::ArrayRef<int64_t> shape, const std::string &type,
                          Random &random) {
  int64_t count = 1;
  for (int64_t dim : shape)
    count *= dim;
  bool isFloat = type == "f32";
  std::string hex = "\"0x";
  for (int64_t i = 0; i < count; ++i) {
    float real = float(random.real(-4, 4));
    uint32_t word = isFloat ? llvm::bit_cast<uint32_t>(real) : uint32_t(random.in(-128, 127));
    for (int byte = 0; byte < (isFloat ? 4 : 1); ++byte)
      hex += text("%02X", (word >> (8 * byte)) & 0xFF);
  }
  return "nn.constant dense<" + hex + "\"> : " + tensor(shape, isFloat ? "f32" : "i8") +
         " -> " + tensor(shape, type);
}

/// Counts the operations of a kind that are left.
int64_t countOps(mlir::func::FuncOp function, llvm::StringRef name) {
  int64_t count = 0;
  function.walk([&](mlir::Operation *op) { count += op->getName().getStringRef() == name; });
  return count;
}

class Graphs {
public:
  Graphs() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::func::FuncDialect, mlir::quant::QuantDialect, nn::NNDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.disableMultithreading();
  }

  /// Simplifies `source` and compares; true if no `removed` operation is left.
  bool check(const std::string &source, llvm::StringRef removed, Random &random) {
    INFO(source);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    REQUIRE(module);
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    std::vector<std::vector<char>> arguments;
    for (mlir::Type type : function.getArgumentTypes()) {
      auto tensor = llvm::cast<mlir::RankedTensorType>(type);
      auto &bytes = arguments.emplace_back();
      for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
        float real = float(random.real(-9, 9));
        if (tensor.getElementType().isF32())
          bytes.insert(bytes.end(), reinterpret_cast<char *>(&real),
                       reinterpret_cast<char *>(&real + 1));
        else
          bytes.push_back(char(random.in(-128, 127)));
      }
    }
    auto expected = interpret(function, arguments);
    mlir::PassManager passes(&context);
    simplify::buildSimplifyPipeline(passes, /*keepTensors=*/false);
    REQUIRE(mlir::succeeded(passes.run(*module)));
    REQUIRE(interpret(function, arguments) == expected);
    return countOps(function, removed) == 0;
  }

private:
  mlir::MLIRContext context;
};

} // namespace

TEST_CASE("PAD before convolutions") {
  Graphs graphs;
  Random random(1);
  int folded = 0;
  for (int round = 0; round < 150; ++round) {
    int64_t h = random.in(3, 5), w = random.in(3, 5), inC = random.in(1, 3),
            outC = random.in(1, 3), kh = random.in(1, 3), kw = random.in(1, 3),
            stride = random.in(1, 2);
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
        "func.func @main(%x: " + x + ") -> " + y + " {\n  %w = " +
        constantBytes(weightShape, weight, random) + "\n  %0 = nn.pad %x {before = " +
        list(before) + ", after = " + list(after) + "} : (" + x + ") -> " + p +
        "\n  %1 = nn." + (depthwise ? "depthwise_conv_2d" : "conv_2d") +
        " %0, %w {strides = " + list({stride, stride}) + ", dilations = " + list({1, 1}) +
        ", padding = " + list({0, 0, 0, 0}) +
        (depthwise ? ", depth_multiplier = 1 : i64" : "") + "} : (" + p + ", " + wt +
        ") -> " + y + "\n  return %1 : " + y + "\n}\n";
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
    std::string source =
        "func.func @main(%x: " + x + ") -> " + y + " {\n  %0 = nn." + (relu ? "relu" : "reshape") +
        " %x : (" + x + ") -> " + x + "\n  %1 = nn.pad %0 {before = " + list(before) +
        ", after = " + list(after) + "} : (" + x + ") -> " + p +
        "\n  %2 = nn.max_pool_2d %1 {filter = " + list({kh, kw}) + ", strides = " + list({1, 1}) +
        ", padding = " + list({0, 0, 0, 0}) + "} : (" + p + ") -> " + y + "\n  return %2 : " + y +
        "\n}\n";
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
      body = (random.oneIn(2) ? "nn.add" : "nn.mul") + std::string(" %x, %x : (") + x +
             ", " + x + ") -> " + middle;
      y = tensor({1, 4, 4, 2}, clamped);
      break;
    }
    case 2: {
      std::string weight = isFloat ? in : quantType(random, true);
      body = constantBytes({3, 8}, weight, random) + "\n  %0 = nn.fully_connected %x, %w : (" +
             x + ", " + tensor({3, 8}, weight) + ") -> ";
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
                         (hasWeights ? "%w = " : "%0 = ") + body + "\n  %1 = " + relu +
                         " %0 : (" + middle + ") -> " + y + "\n  return %1 : " + y + "\n}\n";
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
    std::string source = "func.func @main(%x: " + x + ") -> " + x +
                         " {\n  %0 = nn.reshape %x : (" + x + ") -> " + flat +
                         "\n  %1 = nn.dequantize %0 : (" + flat + ") -> " + real +
                         "\n  %2 = nn.quantize %1 : (" + real + ") -> " + flat +
                         "\n  %3 = nn.reshape %2 : (" + flat + ") -> " + x +
                         "\n  return %3 : " + x + "\n}\n";
    folded += graphs.check(source, "nn.quantize", random);
  }
  CHECK(folded > 60);
  CHECK(folded < 100);
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
        "func.func @main() -> (" + real + ", " + all + ") {\n  %a = " +
        constantBytes({2, 3}, "f32", random) + "\n  %b = " + constantBytes({3}, "f32", random) +
        "\n  %c = " + constantBytes({4, 3}, q, random) + "\n  %0 = nn." +
        (random.oneIn(2) ? "add" : "mul") + " %a, %b {activation = #nn.act<" + activation +
        ">} : (" + f + ", tensor<3xf32>) -> " + f + "\n  %1 = nn.quantize %0 : (" + f + ") -> " +
        a + "\n  %2 = nn.pad %1 {before = " + list({1, 0}) + ", after = " + list({1, 1}) +
        "} : (" + a + ") -> " + padded + "\n  %3 = nn.concatenation %2, %c {axis = 1 : i64} : (" +
        padded + ", " + tensor({4, 3}, q) + ") -> " + all + "\n  %4 = nn.dequantize %3 : (" +
        all + ") -> " + real + "\n  return %4, %3 : " + real + ", " + all + "\n}\n";
    CHECK(graphs.check(source, "nn.dequantize", random));
  }
}
