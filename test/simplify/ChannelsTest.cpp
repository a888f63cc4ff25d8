// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels that are constant, or that nobody reads: the analysis bounds what the
// kernels give, and their removal changes no bit, for random graphs that are full
// of them.
#include "Graphs.h"

#include "compiler/driver/Pipeline.h"
#include "compiler/simplify/ChannelRanges.h"
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include <catch2/catch.hpp>

using namespace aotc;
using namespace aotc::test;

namespace {

/// A random int8 graph in which weights are often zero for a whole channel, and
/// biases often saturate.
class ChannelGraph {
public:
  explicit ChannelGraph(Random &random) : random(random) {
    // Two types, so that tensors of one type meet.
    types = {quantType(random), quantType(random)};
    values.push_back({"%x", {1, random.in(2, 4), random.in(2, 4), random.in(1, 10)}, types[0]});
    input = type(values[0]);
  }

  std::string write(int operators) {
    for (int i = 0; i < operators; ++i)
      addOperator();
    // At the end a layer that reads everything, so that inner channels may go.
    const Value last = values.back();
    bool flat = last.shape.size() < 4 || random.oneIn(2);
    addSums(last, flat);
    Value a = values.back(), b = random.oneIn(4) ? pick(values) : a;
    return "func.func @main(%x: " + input + ") -> (" + type(a) + ", " + type(b) + ") {\n" + body +
           "  return " + a.name + ", " + b.name + " : " + type(a) + ", " + type(b) + "\n}\n";
  }

private:
  struct Value {
    std::string name;
    llvm::SmallVector<int64_t> shape;
    std::string element;
    int64_t channels() const { return shape.back(); }
  };

  template <typename T> T pick(const std::vector<T> &from) {
    return from[random.in(0, int64_t(from.size()) - 1)];
  }
  static std::string type(const Value &value) { return tensor(value.shape, value.element); }

  void emit(const std::string &op, const std::vector<Value> &operands,
            const std::string &attributes, Value result) {
    std::string names, operandTypes;
    for (const Value &operand : operands) {
      names += (names.empty() ? "" : ", ") + operand.name;
      operandTypes += (operandTypes.empty() ? "" : ", ") + type(operand);
    }
    result.name = newName();
    body += "  " + result.name + " = nn." + op + " " + names +
            (attributes.empty() ? "" : " {" + attributes + "}") + " : (" + operandTypes + ") -> " +
            type(result) + "\n";
    values.push_back(result);
  }
  std::string newName() { return "%" + std::to_string(count++); }
  Value emitConstant(Value value, const std::string &text) {
    value.name = newName();
    body += "  " + value.name + " = " + text + "\n";
    return value;
  }

  /// Weights whose first (`outer`) or last dimension is the sums, the other one
  /// the operand's channels; a quarter of both is zero throughout.
  Value weights(llvm::ArrayRef<int64_t> shape, bool outer, int64_t inC) {
    const int64_t outC = outer ? shape.front() : shape.back();
    int64_t elements = 1;
    for (int64_t dim : shape)
      elements *= dim;
    std::vector<bool> deadOut(outC), deadIn(inC);
    for (int64_t c = 0; c < outC; ++c)
      deadOut[c] = random.oneIn(4);
    for (int64_t c = 0; c < inC; ++c)
      deadIn[c] = random.oneIn(4);
    std::vector<uint8_t> bytes;
    for (int64_t i = 0; i < elements; ++i) {
      int64_t out = outer ? i / (elements / outC) : i % outC;
      bool dead = deadOut[out] || (outer && deadIn[i % inC]);
      bytes.push_back(dead ? 0 : uint8_t(random.in(-128, 127)));
    }
    std::string element = quantType(random, true);
    if (random.oneIn(2)) {
      element = "!quant.uniform<i8:f32:" + std::to_string(outer ? 0 : shape.size() - 1) + ", {";
      for (int64_t c = 0; c < outC; ++c)
        element += text("%s%.17e", c ? ", " : "", double(float(random.real(0.001, 0.5))));
      element += "}>";
    }
    Value value{"", llvm::SmallVector<int64_t>(shape), element};
    return emitConstant(value, constant(shape, element, "i8", bytes));
  }

  /// Often so large that no input matters; once in a while close to where sums wrap.
  Value bias(int64_t channels) {
    std::vector<uint8_t> bytes;
    for (int64_t c = 0; c < channels; ++c) {
      int64_t most = random.of<int64_t>({100, 10'000, 100'000});
      auto word = uint32_t(random.in(-most, most));
      if (random.oneIn(8))
        word += INT32_MAX;
      for (int byte = 0; byte < 4; ++byte)
        bytes.push_back(uint8_t(word >> (8 * byte)));
    }
    return emitConstant({"", {channels}, "i32"}, constant({channels}, "i32", "i32", bytes));
  }

  std::string activation() {
    return std::string("activation = #nn.act<") +
           random.of<const char *>({"none", "relu", "relu6"}) + ">";
  }

  /// CONV_2D or, if `flat`, FULLY_CONNECTED.
  void addSums(const Value &in, bool flat) {
    Value out = in;
    out.element = pick(types);
    const int64_t outC = random.in(1, 20), inC = in.channels();
    if (flat) {
      // One row per pixel, or (which is no rule for all channels) per image.
      bool pixels = in.shape.size() == 4 && random.oneIn(2);
      int64_t rows = pixels ? in.shape[1] * in.shape[2] : 1, depth = inC;
      if (!pixels)
        for (int64_t dim : llvm::ArrayRef<int64_t>(in.shape).drop_back())
          depth *= dim;
      out.shape = {rows, outC};
      std::vector<Value> operands = {in, weights({outC, depth}, true, inC)};
      if (random.oneIn(2))
        operands.push_back(bias(outC));
      return emit("fully_connected", operands, activation(), out);
    }
    addWindow("conv_2d", in, weightsOfWindow(outC, inC), outC, "");
  }

  llvm::SmallVector<int64_t> weightsOfWindow(int64_t outC, int64_t inC) {
    return {outC, random.in(1, 2), random.in(1, 3), inC};
  }

  void addWindow(const std::string &op, const Value &in, llvm::ArrayRef<int64_t> weightShape,
                 int64_t outC, const std::string &attributes) {
    const int64_t h = in.shape[1], w = in.shape[2], kh = weightShape[1], kw = weightShape[2];
    if (h < kh || w < kw)
      return;
    Value out = in;
    out.element = pick(types);
    bool pads = random.oneIn(2);
    llvm::SmallVector<int64_t> padding;
    for (int64_t size : {kh, kw, kh, kw})
      padding.push_back(pads ? random.in(0, size - 1) : 0);
    out.shape = {1, h + padding[0] + padding[2] - kh + 1, w + padding[1] + padding[3] - kw + 1,
                 outC};
    std::vector<Value> operands = {in, weights(weightShape, op == "conv_2d", in.channels())};
    if (!random.oneIn(3))
      operands.push_back(bias(outC));
    emit(op, operands,
         "strides = " + list({1, 1}) + ", dilations = " + list({1, 1}) +
             ", padding = " + list(padding) + ", " + attributes + activation(),
         out);
  }

  /// One operator that treats images, of 4 dimensions.
  void addImageOperator(const Value &in) {
    Value out = in;
    const int64_t h = in.shape[1], w = in.shape[2], c = in.channels();
    switch (random.in(0, 7)) {
    case 0:
    case 1:
      return addSums(in, false);
    case 2:
    case 3: {
      int64_t multiplier = random.oneIn(3) ? 2 : 1;
      return addWindow("depthwise_conv_2d", in,
                       {1, random.in(1, 2), random.in(1, 3), c * multiplier}, c * multiplier,
                       "depth_multiplier = " + std::to_string(multiplier) + " : i64, ");
    }
    case 4:
      if (h < 2 || w < 2)
        return;
      out.shape = {1, h - 1, w - 1, c};
      return emit(random.of<const char *>({"max_pool_2d", "average_pool_2d"}), {in},
                  "filter = " + list({2, 2}) + ", strides = " + list({1, 1}) +
                      ", padding = " + list({0, 0, 0, 0}) + ", " + activation(),
                  out);
    case 5: {
      int64_t t = random.in(0, 1), r = random.in(0, 1), deep = random.oneIn(4);
      out.shape = {1, h + t, w + r, c + deep};
      return emit("pad", {in},
                  "before = " + list({0, t, 0, 0}) + ", after = " + list({0, 0, r, deep}), out);
    }
    case 6:
      out.shape = {1, c};
      out.element = pick(types);
      return emit("mean", {in}, "axes = " + list({1, 2}) + ", keep_dims = false", out);
    default: {
      bool deep = random.oneIn(4);
      out.shape =
          deep ? llvm::SmallVector<int64_t>{1, c, h, w} : llvm::SmallVector<int64_t>{1, w, h, c};
      return emit("transpose", {in}, "perm = " + (deep ? list({0, 3, 1, 2}) : list({0, 2, 1, 3})),
                  out);
    }
    }
  }

  void addOperator() {
    const Value in = random.oneIn(3) ? pick(values) : values.back();
    if (in.shape.size() == 4 && !random.oneIn(3))
      return addImageOperator(in);
    Value out = in;
    switch (random.in(0, 7)) {
    case 0:
      return emit(random.of<const char *>({"relu", "relu6"}), {in}, "", out);
    case 1:
      out.element = pick(types);
      return emit("quantize", {in}, "", out);
    case 2:
    case 3: {
      // With itself, a value of the same shape, a constant, or one that is repeated.
      Value other = in;
      for (const Value &value : values)
        if (value.shape == in.shape && random.oneIn(2))
          other = value;
      if (random.oneIn(4)) {
        other.shape = {random.oneIn(2) ? 1 : in.channels()};
        other = emitConstant(other, constantBytes(other.shape, other.element, random));
      }
      out.element = pick(types);
      return emit(random.of<const char *>({"add", "mul"}), {in, other}, activation(), out);
    }
    case 4:
    case 5: {
      // Of what fits, along channels or along the first dimension but one.
      std::vector<Value> operands = {in};
      int64_t axis = random.oneIn(2) ? int64_t(in.shape.size()) - 1 : int64_t(in.shape.size()) - 2;
      for (const Value &value : values) {
        llvm::SmallVector<int64_t> shape = value.shape;
        if (shape.size() != in.shape.size() || value.element != in.element)
          continue;
        shape[axis] = in.shape[axis];
        if (shape == in.shape && operands.size() < 3 && out.channels() < 40) {
          operands.push_back(value);
          out.shape[axis] += value.shape[axis];
        }
      }
      return emit("concatenation", operands, "axis = " + std::to_string(axis) + " : i64", out);
    }
    case 6: {
      int64_t elements = 1;
      for (int64_t dim : in.shape)
        elements *= dim;
      out.shape = random.oneIn(2)
                      ? llvm::SmallVector<int64_t>{1, elements}
                      : llvm::SmallVector<int64_t>{elements / in.channels(), in.channels()};
      return emit("reshape", {in}, "", out);
    }
    default:
      return addSums(in, in.shape.size() < 4 || random.oneIn(2));
    }
  }

  Random &random;
  std::vector<std::string> types;
  std::vector<Value> values;
  std::string input, body;
  int count = 0;
};

int64_t channelsOfAllResults(mlir::func::FuncOp function) {
  int64_t sum = 0;
  function.walk([&](nn::NNOpInterface op) {
    sum += llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getShape().back();
  });
  return sum;
}

/// Makes all int8 tensors results of the function, and returns them.
std::vector<mlir::Value> returnAll(mlir::func::FuncOp function) {
  std::vector<mlir::Value> tensors;
  for (mlir::Operation &op : function.getBody().front())
    if (llvm::isa<nn::NNOpInterface>(op) && simplify::hasChannels(op.getResult(0)))
      tensors.push_back(op.getResult(0));
  mlir::Operation *end = function.getBody().front().getTerminator();
  end->setOperands(tensors);
  function.setType(mlir::FunctionType::get(function.getContext(), function.getArgumentTypes(),
                                           mlir::ValueRange(tensors).getTypes()));
  return tensors;
}

} // namespace

TEST_CASE("ranges of channels bound what the kernels give") {
  Graphs graphs;
  Random random(11);
  int64_t constants = 0, narrowed = 0, met = 0;
  for (int round = 0; round < 150; ++round) {
    std::string source = ChannelGraph(random).write(int(random.in(2, 8)));
    INFO(source);
    auto module = graphs.parse(source);
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    std::vector<mlir::Value> tensors = returnAll(function);
    simplify::ChannelRanges ranges(function);
    std::vector<std::vector<simplify::ChannelRange>> seen(tensors.size());
    for (int call = 0; call < 3; ++call) {
      auto arguments = randomArguments(function, random);
      if (call) // the ends of the inputs give the ends of much else
        for (char &byte : arguments[0])
          byte = random.oneIn(2) ? -128 : 127;
      auto results = interpret(function, arguments);
      for (auto [tensor, bytes, all] : llvm::zip_equal(tensors, results, seen)) {
        auto bounds = ranges.of(tensor);
        all.resize(bounds.size());
        for (auto [i, byte] : llvm::enumerate(bytes)) {
          auto bound = bounds[i % bounds.size()];
          REQUIRE(int8_t(byte) >= bound.min);
          REQUIRE(int8_t(byte) <= bound.max);
          all[i % bounds.size()].include({int8_t(byte), int8_t(byte)});
        }
      }
    }
    for (auto [tensor, all] : llvm::zip_equal(tensors, seen))
      for (auto [bound, range] : llvm::zip_equal(ranges.of(tensor), all)) {
        constants += bound.isConstant();
        narrowed += bound.min > -128 || bound.max < 127;
        met += bound.min == range.min && bound.max == range.max;
      }
  }
  // Not bounded by what holds of every int8.
  CHECK(constants > 1000);
  CHECK(narrowed > 2000);
  CHECK(met > 2000);
}

TEST_CASE("graphs of channels that are constant or not read") {
  Graphs graphs;
  Random random(12);
  int removed = 0, kept = 0;
  for (int round = 0; round < 400; ++round) {
    std::string source = ChannelGraph(random).write(int(random.in(1, 8)));
    INFO(source);
    auto module = graphs.parse(source);
    auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
    auto arguments = randomArguments(function, random);
    auto expected = interpret(function, arguments);
    int64_t before = channelsOfAllResults(function);

    int64_t multiple = random.of<int64_t>({1, 2, 3, 4, 8});
    INFO("multiple " << multiple);
    simplify::RemoveChannelsOptions options;
    options.multiple = multiple;
    mlir::PassManager passes(module->getContext(), mlir::func::FuncOp::getOperationName());
    passes.addPass(simplify::createRemoveChannels(options));
    REQUIRE(mlir::succeeded(passes.run(function)));
    REQUIRE(mlir::succeeded(mlir::verify(*module)));
    CHECK(interpret(function, arguments) == expected);
    // Once is enough.
    CHECK(simplify::removableChannels(function, multiple) == nullptr);

    int64_t after = channelsOfAllResults(function);
    CHECK(after <= before);
    ++(after < before ? removed : kept);
  }
  CHECK(removed > 120); // both ways are taken
  CHECK(kept > 50);
}

TEST_CASE("the whole phase on graphs of channels that are constant or not read") {
  Graphs graphs;
  Random random(13);
  for (int round = 0; round < 200; ++round)
    graphs.check(ChannelGraph(random).write(int(random.in(2, 9))), "", random);
}
