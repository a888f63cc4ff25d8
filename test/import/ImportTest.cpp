// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Good models built in memory, and the IR they must become.
#include "compiler/import/Inspect.h"
#include "compiler/import/TFLite.h"
#include "compiler/ir/NNDialect.h"
#include "test/import/ModelBuilder.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

using namespace aotc;
using namespace aotc::test;
using tflite::BuiltinOptions;

namespace {

/// Imports; a problem fails the test with its text.
struct Imported {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Imported(const std::string &bytes) {
    std::string problems;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      problems += diagnostic.str() + "\n";
      return mlir::success();
    });
    module = importTFLite(context, bytes, "dir/model.tflite");
    CHECK(problems == "");
    REQUIRE(module);
  }
  explicit Imported(const ModelBuilder &builder) : Imported(builder.bytes()) {}

  mlir::func::FuncOp main() { return module->lookupSymbol<mlir::func::FuncOp>("main"); }
  /// The i-th operation of type OpTy.
  template <typename OpTy> OpTy find(int index = 0) {
    std::vector<OpTy> found;
    for (OpTy op : main().getOps<OpTy>())
      found.push_back(op);
    REQUIRE(static_cast<int>(found.size()) > index);
    return found[index];
  }
};

std::vector<int64_t> shapeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType()).getShape().vec();
}

using Dims = std::vector<int64_t>;

} // namespace

TEST_CASE("convolution: types, padding, origin, names") {
  Imported in(convModel());
  auto conv = in.find<nn::Conv2DOp>();
  CHECK(conv.getStrides().vec() == Dims{2, 2});
  CHECK(conv.getDilations().vec() == Dims{1, 1});
  // Height 6: 3 rows, (3-1)*2 + 3 - 6 = 1 too few: none before, one after.
  // Width 5: 3 columns, (3-1)*2 + 3 - 5 = 2: one on each side.
  CHECK(conv.getPadding().vec() == Dims{0, 1, 1, 1});
  CHECK(conv.getActivation() == nn::ActivationKind::none);

  Quantization x = nn::toQuantization(conv.getInput().getType().getElementType());
  CHECK(x.scales == std::vector<double>{0.5});
  CHECK(x.zeroPoints == Dims{-3});
  Quantization w = nn::toQuantization(conv.getWeights().getType().getElementType());
  CHECK(w.scales == std::vector<double>{0.1f, 0.2f, 0.3f, 0.4f});
  CHECK(w.axis == 0);
  CHECK(conv.getBias().getType().getElementType().isSignlessInteger(32));

  TensorDesc weights = nn::describeTensor(conv.getWeights());
  CHECK(weights.isConstant);
  CHECK(weights.constant.size() == 72); // 4*3*3*2, although all are equal
  CHECK(llvm::all_of(weights.constant, [](char c) { return c == 7; }));
  TensorDesc bias = nn::describeTensor(conv.getBias());
  REQUIRE(bias.constant.size() == 16);
  CHECK(static_cast<unsigned char>(bias.constant[4]) == 0xfe); // -2

  nn::OriginAttr origin = conv.getOriginAttr();
  CHECK(origin.getIndex() == 0);
  CHECK(origin.getCode() == "CONV_2D");
  CHECK(origin.getTensors().vec() == Dims{3});
  CHECK(origin.getNames()[0] == "y");

  auto main = in.main();
  REQUIRE(main.getNumArguments() == 1);
  CHECK(main.getArgAttrOfType<mlir::StringAttr>(0, nn::kTensorNameAttr) == "x");
  CHECK(main.getArgAttrOfType<mlir::IntegerAttr>(0, nn::kTensorIndexAttr).getInt() == 0);
  CHECK(main.getResultAttrOfType<mlir::IntegerAttr>(0, nn::kTensorIndexAttr).getInt() == 3);
}

TEST_CASE("depthwise: the multiplier comes from the shapes; dilation; no bias") {
  ModelBuilder m;
  int x = m.input(m.s8({1, 7, 7, 2}, "x"));
  int w = m.add(TensorType::INT8, {1, 3, 3, 4}, "w", {{.1f, .2f, .3f, .4f}, {0, 0, 0, 0}, 3});
  m.constant(w, std::vector<int8_t>(36, 1));
  int y = m.output(m.s8({1, 3, 3, 4}, "y")); // 7 - ((3-1)*2 + 1) + 1 = 3
  auto *options = new tflite::DepthwiseConv2DOptionsT;
  options->padding = tflite::Padding::VALID;
  options->stride_h = options->stride_w = 1;
  options->dilation_h_factor = options->dilation_w_factor = 2;
  options->depth_multiplier = 9; // nonsense, ignored
  options->fused_activation_function = tflite::ActivationFunctionType::RELU6;
  m.add(BuiltinOperator::DEPTHWISE_CONV_2D, {x, w, -1}, {y}, BuiltinOptions::DepthwiseConv2DOptions,
        options);
  Imported in(m);
  auto conv = in.find<nn::DepthwiseConv2DOp>();
  CHECK(conv.getDepthMultiplier() == 2);
  CHECK(conv.getDilations().vec() == Dims{2, 2});
  CHECK(conv.getPadding().vec() == Dims{0, 0, 0, 0});
  CHECK(conv.getActivation() == nn::ActivationKind::relu6);
  CHECK(!conv.getBias());
  CHECK(nn::toQuantization(conv.getWeights().getType().getElementType()).axis == 3);
}

TEST_CASE("grouped convolution") {
  ModelBuilder m;
  int x = m.input(m.f32({1, 2, 2, 6}, "x"));
  int w = m.constant(m.f32({4, 1, 1, 3}, "w"), std::vector<float>(12, 1));
  int y = m.output(m.f32({1, 2, 2, 4}, "y"));
  m.add(BuiltinOperator::CONV_2D, {x, w}, {y}, BuiltinOptions::Conv2DOptions, conv2DOptions(1, 1));
  Imported in(m);
  auto description = in.find<nn::Conv2DOp>().describe();
  CHECK(std::get<aotc::Conv2DOptions>(description).groups == 2); // 6 / 3
}

TEST_CASE("fully connected without options keeps any output shape") {
  ModelBuilder m;
  int x = m.input(m.f32({2, 3, 4}, "x"));
  int w = m.constant(m.f32({5, 4}, "w"), std::vector<float>(20, 1));
  int y = m.output(m.f32({2, 3, 5}, "y"));
  m.add(BuiltinOperator::FULLY_CONNECTED, {x, w, -1}, {y});
  Imported in(m);
  CHECK(shapeOf(in.find<nn::FullyConnectedOp>().getOutput()) == Dims{2, 3, 5});
}

TEST_CASE("pools") {
  ModelBuilder m;
  int x = m.input(m.s8({1, 5, 4, 3}, "x"));
  int a = m.output(m.s8({1, 3, 2, 3}, "a"));
  int b = m.output(m.s8({1, 2, 2, 3}, "b"));
  auto options = [](tflite::Padding padding) {
    auto *options = new tflite::Pool2DOptionsT;
    options->padding = padding;
    options->stride_h = options->stride_w = options->filter_height = options->filter_width = 2;
    return options;
  };
  m.add(BuiltinOperator::AVERAGE_POOL_2D, {x}, {a}, BuiltinOptions::Pool2DOptions,
        options(tflite::Padding::SAME));
  m.add(BuiltinOperator::MAX_POOL_2D, {x}, {b}, BuiltinOptions::Pool2DOptions,
        options(tflite::Padding::VALID));
  Imported in(m);
  // Height 5: 3 rows, 2*2 + 2 - 5 = 1 after; width 4 fits.
  CHECK(in.find<nn::AveragePool2DOp>().getPadding().vec() == Dims{0, 0, 1, 0});
  CHECK(in.find<nn::MaxPool2DOp>().getPadding().vec() == Dims{0, 0, 0, 0});
}

TEST_CASE("reshape, squeeze, expand dims: all become nn.reshape") {
  ModelBuilder m;
  int x = m.input(m.f32({1, 4, 1, 6}, "x"));
  int a = m.output(m.f32({2, 12}, "a"));
  int b = m.output(m.f32({4, 6}, "b"));
  int c = m.output(m.f32({4, 1, 6}, "c"));
  int d = m.output(m.f32({1, 4, 6}, "d"));
  int e = m.output(m.f32({4, 6, 1}, "e"));
  int shape = m.ints({2, -1}, "shape"), axis = m.ints({-1}, "axis");
  auto *both = new tflite::ReshapeOptionsT; // the tensor goes before the option
  both->new_shape = {12, 2};
  m.add(BuiltinOperator::RESHAPE, {x, shape}, {a}, BuiltinOptions::ReshapeOptions, both);
  auto *option = new tflite::ReshapeOptionsT;
  option->new_shape = {4, -1};
  m.add(BuiltinOperator::RESHAPE, {x}, {b}, BuiltinOptions::ReshapeOptions, option);
  auto *squeeze = new tflite::SqueezeOptionsT;
  squeeze->squeeze_dims = {-4};
  m.add(BuiltinOperator::SQUEEZE, {x}, {c}, BuiltinOptions::SqueezeOptions, squeeze);
  auto *other = new tflite::SqueezeOptionsT;
  other->squeeze_dims = {2};
  m.add(BuiltinOperator::SQUEEZE, {x}, {d}, BuiltinOptions::SqueezeOptions, other);
  m.add(BuiltinOperator::EXPAND_DIMS, {b, axis}, {e});
  Imported in(m);
  CHECK(shapeOf(in.find<nn::ReshapeOp>(0).getOutput()) == Dims{2, 12});
  CHECK(shapeOf(in.find<nn::ReshapeOp>(4).getOutput()) == Dims{4, 6, 1});
  CHECK(in.find<nn::ReshapeOp>(4).getOriginAttr().getCode() == "EXPAND_DIMS");
}

TEST_CASE("reshape to a scalar by an empty list of dimensions") {
  ModelBuilder m;
  int x = m.input(m.f32({1, 1}, "x"));
  int shape = m.add(TensorType::INT32, {0}, "shape");
  int y = m.output(m.f32({}, "y"));
  m.add(BuiltinOperator::RESHAPE, {x, shape}, {y});
  Imported in(m);
  CHECK(shapeOf(in.find<nn::ReshapeOp>().getOutput()).empty());
}

TEST_CASE("mean: axes are made non-negative, ascending and unique") {
  ModelBuilder m;
  int x = m.input(m.s8({1, 4, 4, 8}, "x"));
  int y = m.output(m.s8({1, 8}, "y"));
  m.add(BuiltinOperator::MEAN, {x, m.ints({2, -3, 1}, "axes")}, {y});
  Imported in(m);
  CHECK(in.find<nn::MeanOp>().getAxes().vec() == Dims{1, 2});
  CHECK(!in.find<nn::MeanOp>().getKeepDims());
}

TEST_CASE("pad and concatenation") {
  ModelBuilder m;
  int x = m.input(m.s8({1, 2, 2}, "x"));
  int padded = m.s8({1, 3, 6}, "padded");
  int y = m.output(m.s8({2, 3, 6}, "y"));
  int amounts = m.constant(m.add(TensorType::INT32, {3, 2}, "amounts"),
                           std::vector<int32_t>{0, 0, 1, 0, 1, 3});
  m.add(BuiltinOperator::PAD, {x, amounts}, {padded});
  auto *options = new tflite::ConcatenationOptionsT;
  options->axis = -3;
  m.add(BuiltinOperator::CONCATENATION, {padded, padded}, {y}, BuiltinOptions::ConcatenationOptions,
        options);
  Imported in(m);
  CHECK(in.find<nn::PadOp>().getBefore().vec() == Dims{0, 1, 1});
  CHECK(in.find<nn::PadOp>().getAfter().vec() == Dims{0, 0, 3});
  CHECK(in.find<nn::ConcatenationOp>().getAxis() == 0);
}

TEST_CASE("transpose: negative dimensions count from the end; any type of whole bytes") {
  ModelBuilder m;
  int x = m.input(m.add(TensorType::INT32, {2, 3, 4}, "x"));
  int y = m.output(m.add(TensorType::INT32, {4, 2, 3}, "y"));
  m.add(BuiltinOperator::TRANSPOSE, {x, m.ints({-1, 0, -2}, "perm")}, {y});
  Imported in(m);
  CHECK(in.find<nn::TransposeOp>().getPerm().vec() == Dims{2, 0, 1});
}

TEST_CASE("quantize, dequantize, and float16 constants become float32") {
  ModelBuilder m;
  int x = m.input(m.f32({3}, "x"));
  int q = m.s8({3}, "q", 0.25f, 1);
  int d = m.f32({3}, "d"), half = m.add(TensorType::FLOAT16, {3}, "half");
  // 1, -0.5 and the smallest subnormal, 2^-24.
  m.constant(half, std::vector<uint16_t>{0x3c00, 0xb800, 0x0001});
  int single = m.f32({3}, "single");
  int y = m.output(m.f32({3}, "y"));
  m.add(BuiltinOperator::QUANTIZE, {x}, {q});
  m.add(BuiltinOperator::DEQUANTIZE, {q}, {d});
  m.add(BuiltinOperator::DEQUANTIZE, {half}, {single});
  m.add(BuiltinOperator::MUL, {d, single}, {y});
  Imported in(m);
  in.find<nn::QuantizeOp>();
  in.find<nn::DequantizeOp>();
  TensorDesc constant = nn::describeTensor(in.find<nn::MulOp>().getRhs());
  REQUIRE(constant.constant.size() == 12);
  float values[3];
  std::memcpy(values, constant.constant.data(), 12);
  CHECK(values[0] == 1.0f);
  CHECK(values[1] == -0.5f);
  CHECK(values[2] == 0x1p-24f);
}

TEST_CASE("graphs of unusual form") {
  ModelBuilder m;
  int x = m.input(m.f32({2}, ""));                 // no name
  int unused = m.input(m.f32({3}, "a b\n\"\xff")); // odd name
  int c = m.constant(m.f32({2}, "y"), std::vector<float>{1, 1});
  int y = m.f32({2}, "y"), dead = m.f32({2}, "y"); // one name for three
  m.add(BuiltinOperator::RELU, {x}, {y});
  m.add(BuiltinOperator::RELU6, {c}, {dead});
  for (int tensor : {y, y, c, unused})
    m.output(tensor);
  m.model.subgraphs.push_back(std::make_unique<tflite::SubGraphT>()); // not used
  Imported in(m);
  auto main = in.main();
  REQUIRE(main.getNumArguments() == 2);
  REQUIRE(main.getNumResults() == 4);
  auto results = main.getBody().front().getTerminator()->getOperands();
  CHECK(results[0] == results[1]);
  CHECK(nn::constantValue(results[2]));
  CHECK(results[3] == main.getArgument(1));
  CHECK(main.getArgAttrOfType<mlir::StringAttr>(0, nn::kTensorNameAttr) == "");
  CHECK(main.getArgAttrOfType<mlir::StringAttr>(1, nn::kTensorNameAttr) == "a b\n\"\xff");
  CHECK(main.getResultAttrOfType<mlir::StringAttr>(2, nn::kTensorNameAttr) == "y");
}

TEST_CASE("a batch of unknown size whose shape is given counts as given") {
  ModelBuilder m = floatModel();
  for (int i = 0; i < 4; ++i)
    m.tensor(i).shape_signature = {-1, 3};
  Imported in(m);
  CHECK(shapeOf(in.main().getArgument(0)) == Dims{2, 3});
}

TEST_CASE("constants that stand behind the flatbuffer") {
  ModelBuilder m = convModel();
  int b = m.tensor(2).buffer;
  m.buffer(b).data.clear();
  m.buffer(b).size = 16;
  m.buffer(b).offset = 1 << 20; // a place holder of the same width
  size_t length = m.bytes().size();
  m.buffer(b).offset = length;
  std::string bytes = m.bytes();
  REQUIRE(bytes.size() == length);
  int32_t values[] = {10, 20, 30, 40};
  bytes.append(reinterpret_cast<const char *>(values), 16);
  Imported in(bytes);
  TensorDesc bias = nn::describeTensor(in.find<nn::Conv2DOp>().getBias());
  REQUIRE(bias.constant.size() == 16);
  CHECK(bias.constant[8] == 30);
}

TEST_CASE("the file may stand at any address") {
  std::string shifted = "?" + convModel().bytes();
  Imported in(shifted.substr(1));
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  CHECK(importTFLite(context, llvm::StringRef(shifted).drop_front(), "m"));
}

TEST_CASE("inspect") {
  ModelBuilder m = floatModel();
  m.model.operator_codes[1]->builtin_code = BuiltinOperator::TRANSPOSE_CONV;
  m.model.operator_codes[1]->deprecated_builtin_code = 67;
  InspectedModel model = inspectTFLite(m.bytes());
  CHECK(!model.supported());
  CHECK(model.inputs == Dims{0, 1});
  REQUIRE(model.operators.size() == 2);
  CHECK(model.operators[0].code == "ADD");
  CHECK(model.operators[0].problems.empty());
  CHECK(model.operators[1].code == "TRANSPOSE_CONV");
  CHECK(model.operators[1].problems.size() == 1);
  REQUIRE(model.tensors.size() == 4);
  CHECK(model.tensors[2].name == "sum");
  CHECK(model.tensors[2].bytes == 24); // 2*3 floats
  CHECK(inspectTFLite(floatModel().bytes()).supported());
  CHECK(inspectTFLite("hello").problems.size() == 1);
}
