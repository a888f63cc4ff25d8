// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One bad model per kind of error, with the exact message.
#include "compiler/import/Inspect.h"
#include "compiler/import/TFLite.h"
#include "test/import/ModelBuilder.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <limits>

using namespace aotc;
using namespace aotc::test;
using tflite::BuiltinOptions;

namespace {

using Lines = std::vector<std::string>;

/// The problems of a file; empty if it is imported.
Lines problemsOf(const std::string &bytes) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Lines lines;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    lines.push_back(diagnostic.str());
    return mlir::success();
  });
  bool imported = static_cast<bool>(importTFLite(context, bytes, "model.tflite"));
  CHECK(imported == lines.empty());
  return lines;
}
Lines problemsOf(const ModelBuilder &m) { return problemsOf(m.bytes()); }

tflite::Conv2DOptionsT &convOptions(ModelBuilder &m) {
  return *m.op(0).builtin_options.AsConv2DOptions();
}

std::string addName = "operator 0 (ADD) 'sum'";
std::string convName = "operator 0 (CONV_2D) 'y'";

} // namespace

TEST_CASE("the test models are good") {
  CHECK(problemsOf(convModel()).empty());
  CHECK(problemsOf(floatModel()).empty());
}

TEST_CASE("not a .tflite file") {
  CHECK(problemsOf("") == Lines{"invalid model: not a .tflite file: it has only 0 bytes"});
  CHECK(problemsOf("not a model at all") ==
        Lines{"invalid model: not a .tflite file: bytes 4 to 7 are 'a mo' instead of 'TFL3'"});
  CHECK(problemsOf("\x7f"
                   "ELFabcd") ==
        Lines{"invalid model: not a .tflite file: bytes 4 to 7 are 'abcd' instead of 'TFL3' "
              "(it is an ELF file)"});
}

TEST_CASE("truncated at every length") {
  std::string whole = convModel().bytes();
  for (size_t size = 8; size < whole.size(); ++size) {
    Lines lines = problemsOf(whole.substr(0, size));
    REQUIRE(lines == Lines{"invalid model: the file is damaged or cut short (" +
                           std::to_string(size) + " bytes; an offset in it leads out of bounds)"});
  }
}

TEST_CASE("every single bit flipped: imported or refused with reasons") {
  std::string whole = floatModel().bytes();
  int refused = 0;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] ^= static_cast<char>(1 << bit % 8);
    for (const std::string &line : problemsOf(bytes)) {
      REQUIRE((line.rfind("invalid model: ", 0) == 0 || line.rfind("unsupported: ", 0) == 0));
      ++refused;
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("schema version, no graph, no outputs") {
  ModelBuilder m = floatModel();
  m.model.version = 2;
  CHECK(problemsOf(m) == Lines{"invalid model: schema version 2 instead of 3"});
  ModelBuilder none;
  CHECK(problemsOf(none) == Lines{"invalid model: the graph has no outputs"});
  none.model.subgraphs.clear();
  CHECK(problemsOf(none) == Lines{"invalid model: the file holds no graph"});
}

TEST_CASE("indices out of range") {
  ModelBuilder m = floatModel();
  m.op(0).inputs[1] = 77;
  CHECK(problemsOf(m) == Lines{"invalid model: " + addName + ": tensor 77 of 4 does not exist"});
  m = floatModel();
  m.op(0).inputs[1] = -2;
  CHECK(problemsOf(m) == Lines{"invalid model: " + addName + ": tensor -2 of 4 does not exist"});
  m = floatModel();
  m.op(1).outputs[0] = -1;
  CHECK(problemsOf(m)[0] == "invalid model: operator 1 (SOFTMAX): tensor -1 of 4 does not exist");
  m = floatModel();
  m.op(0).opcode_index = 9;
  CHECK(problemsOf(m)[0] == "invalid model: operator 0 'sum': operator code 9 of 2 does not exist");
  m = floatModel();
  m.graph().inputs[0] = 1000;
  CHECK(problemsOf(m)[0] == "invalid model: the graph's inputs: tensor 1000 of 4 does not exist");
  m = floatModel();
  m.graph().outputs[0] = -1;
  CHECK(problemsOf(m)[0] == "invalid model: the graph's outputs: tensor -1 of 4 does not exist");
  m = convModel();
  m.tensor(1).buffer = 99;
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + convName + ": tensor 1 'w': buffer 99 of 3 does not exist"});
}

TEST_CASE("cycles, order, missing and double writers") {
  ModelBuilder m = floatModel();
  m.op(0).inputs[1] = 3; // sum = x + y, y = softmax(sum)
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + addName +
              ": reads tensor 3 'y', which operator 1 writes only then or later: operators "
              "must stand in order of execution, without cycles"});
  m = floatModel();
  m.op(0).inputs[1] = 2; // its own output
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + addName +
              ": reads tensor 2 'sum', which operator 0 writes only then or later: operators "
              "must stand in order of execution, without cycles"});
  m = floatModel();
  m.graph().inputs.pop_back();
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + addName + ": reads tensor 1 'z', which no operator writes"});
  m = floatModel();
  m.op(1).outputs[0] = 2;
  CHECK(problemsOf(m)[0] == "invalid model: operator 1 (SOFTMAX) 'sum': writes tensor 2 'sum', "
                            "which is written before");
  m = floatModel();
  m.op(1).outputs[0] = 0;
  CHECK(problemsOf(m)[0] == "invalid model: operator 1 (SOFTMAX) 'x': writes tensor 0 'x', "
                            "which is an input of the model");
  m = convModel();
  m.op(0).outputs[0] = 2;
  CHECK(problemsOf(m)[0] == "invalid model: operator 0 (CONV_2D) 'b': writes tensor 2 'b', "
                            "which is a constant");
  m = floatModel();
  m.graph().inputs[1] = 0;
  CHECK(problemsOf(m)[0] == "invalid model: the graph's inputs name tensor 0 'x' twice");
}

TEST_CASE("shapes: giant, dynamic, of too many dimensions, wrong") {
  ModelBuilder m = floatModel();
  int32_t most = std::numeric_limits<int32_t>::max();
  m.tensor(1).shape = {most, most, most, most}; // the product wraps 64 bits
  CHECK(problemsOf(m)[0] == "invalid model: the graph's inputs: tensor 1 'z': shape "
                            "[2147483647,2147483647,2147483647,2147483647] needs more than 2 GiB");
  m = floatModel();
  for (int i = 0; i < 4; ++i)
    m.tensor(i).shape = {1 << 28}; // 1 GiB each
  CHECK(problemsOf(m)[0] == "invalid model: the graph's inputs: tensor 1 'z': all tensors "
                            "together need more than 2 GiB");
  m = floatModel();
  m.tensor(2).shape = {-1, 3};
  CHECK(problemsOf(m)[0] == "unsupported: " + addName +
                                ": tensor 2 'sum': dynamic or empty shape [-1,3]; fix all "
                                "dimensions when converting");
  m = floatModel();
  m.tensor(2).shape.assign(9, 1);
  CHECK(problemsOf(m)[0] ==
        "unsupported: " + addName + ": tensor 2 'sum': has 9 dimensions, more than 8");
  m = floatModel();
  m.tensor(2).shape = {3, 2};
  CHECK(problemsOf(m)[0] ==
        "invalid model: " + addName + ": output has shape [3,2] instead of [2,3]");
  m = floatModel();
  m.tensor(1).shape = {4, 3};
  CHECK(problemsOf(m)[0] ==
        "invalid model: " + addName + ": shapes [2,3] and [4,3] do not broadcast");
}

TEST_CASE("types") {
  ModelBuilder m = floatModel();
  m.tensor(2).type = m.tensor(3).type = TensorType::INT64;
  CHECK(problemsOf(m)[0] == "unsupported: " + addName +
                                ": types FLOAT32, FLOAT32 -> INT64 are not supported; "
                                "convert the model in float32 or with full int8 quantisation");
  m = floatModel();
  m.tensor(0).type = TensorType::STRING;
  CHECK(problemsOf(m)[0] ==
        "unsupported: the graph's inputs: tensor 0 'x': type STRING is not supported");
  m = floatModel();
  m.tensor(0).type = static_cast<TensorType>(100);
  CHECK(problemsOf(m)[0] ==
        "invalid model: the graph's inputs: tensor 0 'x': type 100 does not exist");
  m = convModel();
  m.tensor(2).type = TensorType::INT64;
  m.buffer(2).data.resize(32);
  CHECK(problemsOf(m)[0] == "unsupported: " + convName +
                                ": bias tensor 2 'b' has type INT64; "
                                "int8 layers need an INT32 bias");
}

TEST_CASE("quantisation") {
  auto broken = [](auto change) {
    ModelBuilder m = convModel();
    change(m);
    Lines lines = problemsOf(m);
    return lines.empty() ? std::string() : lines[0];
  };
  auto x = [](ModelBuilder &m) -> auto & { return *m.tensor(0).quantization; };
  auto w = [](ModelBuilder &m) -> auto & { return *m.tensor(1).quantization; };
  std::string input = "invalid model: the graph's inputs: tensor 0 'x': ";
  std::string weights = "invalid model: " + convName + ": tensor 1 'w': ";
  CHECK(broken([&](auto &m) { x(m).scale = {0}; }) ==
        input + "scale 0.000000e+00 is not positive and finite");
  CHECK(broken([&](auto &m) { x(m).scale = {-1}; }) ==
        input + "scale -1.000000e+00 is not positive and finite");
  CHECK(broken([&](auto &m) { x(m).zero_point = {128}; }) ==
        input + "zero point 128 is outside s8");
  CHECK(broken([&](auto &m) { m.tensor(0).quantization.reset(); }) ==
        "invalid model: " + convName + ": INT8 tensor 0 'x' has no scale");
  CHECK(broken([&](auto &m) { w(m).scale.pop_back(); }) == weights + "4 zero points for 3 scales");
  CHECK(broken([&](auto &m) { w(m).scale.pop_back(), w(m).zero_point = {0}; }) ==
        weights + "3 scales along dimension 0 of [4,3,3,2]");
  CHECK(broken([&](auto &m) { w(m).quantized_dimension = 4; }) ==
        weights + "quantised along dimension 4 of [4,3,3,2]");
  CHECK(broken([&](auto &m) {
          w(m).quantized_dimension = 3, w(m).scale = {1, 1}, w(m).zero_point = {0, 0};
        }) ==
        "invalid model: " + convName + ": weights are quantised along dimension 3 instead of 0");
  CHECK(broken([&](auto &m) { w(m).zero_point[2] = 5; }) ==
        "unsupported: " + convName +
            ": the weights' zero point is 5; int8 weights must be "
            "symmetric: zero point 0");
  CHECK(broken([&](auto &m) {
          x(m).scale = {1, 2}, x(m).zero_point = {0}, x(m).quantized_dimension = 3;
        }) == "unsupported: " + convName +
                  ": tensor 0 'x' has one scale per channel; only weights "
                  "may; quantise activations per tensor");
}

TEST_CASE("buffers") {
  ModelBuilder m = convModel();
  m.buffer(1).data.resize(71);
  std::string w = "invalid model: " + convName + ": tensor 1 'w': ";
  CHECK(problemsOf(m) == Lines{w + "buffer 1 holds 71 bytes, INT8[4,3,3,2] needs 72"});
  m.buffer(1).data.clear();
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + convName + ": reads tensor 1 'w', which no operator writes"});
  for (uint64_t offset : {uint64_t(1) << 32, ~uint64_t(0) - 71}) { // the sum wraps to 0
    m.buffer(1).offset = offset;
    m.buffer(1).size = 72;
    CHECK(problemsOf(m) == Lines{w + "buffer 1 (offset " + std::to_string(offset) +
                                 ", 72 bytes) leads out of the file of " +
                                 std::to_string(m.bytes().size()) + " bytes"});
  }
}

TEST_CASE("windows") {
  auto broken = [](auto change) {
    ModelBuilder m = convModel();
    change(convOptions(m));
    return problemsOf(m)[0];
  };
  std::string invalid = "invalid model: " + convName + ": ";
  CHECK(broken([](auto &o) { o.stride_h = 0; }) ==
        invalid + "window 3, stride 0, dilation 1: none may be below 1");
  CHECK(broken([](auto &o) { o.stride_w = -1; }) ==
        invalid + "window 3, stride -1, dilation 1: none may be below 1");
  CHECK(broken([](auto &o) { o.dilation_h_factor = 0; }) ==
        invalid + "window 3, stride 2, dilation 0: none may be below 1");
  CHECK(broken([](auto &o) { o.stride_h = 1 << 30; }) ==
        "unsupported: " + convName +
            ": window 3, stride 1073741824, dilation 1; values up to "
            "65535 are supported");
  CHECK(broken([](auto &o) { o.stride_h = 1; }) ==
        invalid + "output has shape [1,3,3,4] instead of [1,6,3,4]");
  CHECK(broken([](auto &o) { o.padding = tflite::Padding::VALID, o.dilation_w_factor = 3; }) ==
        invalid + "horizontal window 7 is larger than the padded input 5");
  CHECK(broken([](auto &o) { o.padding = static_cast<tflite::Padding>(7); }) ==
        invalid + "padding 7 does not exist");
  CHECK(broken([](auto &o) {
          o.fused_activation_function = static_cast<tflite::ActivationFunctionType>(9);
        }) == invalid + "fused activation 9 does not exist");
  CHECK(broken([](auto &o) {
          o.fused_activation_function = tflite::ActivationFunctionType::TANH;
        }) == "unsupported: " + convName +
                  ": fused activation TANH; use RELU, RELU6 or a "
                  "separate operator");
}

TEST_CASE("operators: absent or surplus operands, foreign options, channels") {
  ModelBuilder m = convModel();
  m.op(0).inputs = {0};
  CHECK(problemsOf(m) == Lines{"invalid model: " + convName + ": has 1 inputs instead of 2 to 3"});
  m.op(0).inputs = {-1, 1, 2};
  CHECK(problemsOf(m) == Lines{"invalid model: " + convName + ": input 0 is absent"});
  m = floatModel();
  std::swap(m.op(0).builtin_options, m.op(1).builtin_options);
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + addName +
                  ": carries options SoftmaxOptions (9) instead of AddOptions",
              "invalid model: operator 1 (SOFTMAX) 'y': carries options AddOptions (11) instead "
              "of SoftmaxOptions"});
  m = convModel();
  m.op(0).builtin_options.Reset();
  CHECK(problemsOf(m) == Lines{"invalid model: " + convName + ": has no options"});
  m = convModel();
  m.tensor(0).shape[3] = 3; // the weights have depth 2
  CHECK(problemsOf(m) == Lines{"invalid model: " + convName +
                               ": input channels 3 are not a "
                               "multiple of the weights' 2"});
  m = convModel();
  m.tensor(2).shape = {2};
  m.buffer(2).data.resize(8);
  CHECK(problemsOf(m) ==
        Lines{"invalid model: " + convName + ": bias has 2 elements for 4 output channels"});
}

TEST_CASE("reshape, concatenation, mean, pad") {
  auto moved = [](BuiltinOperator code, std::vector<int32_t> list, std::vector<int32_t> shape,
                  std::vector<int32_t> result) {
    ModelBuilder m;
    int x = m.input(m.f32({2, 3}, "x"));
    int operand = m.ints(list, "list");
    m.tensor(operand).shape = shape;
    m.add(code, {x, operand}, {m.output(m.f32(result, "y"))});
    return problemsOf(m)[0];
  };
  CHECK(moved(BuiltinOperator::RESHAPE, {-1, 4}, {2}, {1, 4}) ==
        "invalid model: operator 0 (RESHAPE) 'y': shape [-1,4] does not fit [2,3]");
  CHECK(moved(BuiltinOperator::RESHAPE, {-1, -1}, {2}, {1, 6}) ==
        "invalid model: operator 0 (RESHAPE) 'y': shape [-1,-1] does not fit [2,3]");
  CHECK(moved(BuiltinOperator::RESHAPE, {7}, {1}, {7}) ==
        "invalid model: operator 0 (RESHAPE) 'y': makes shape [7] of [2,3]: another number of "
        "elements");
  CHECK(moved(BuiltinOperator::RESHAPE, {6}, {1}, {3, 2}) ==
        "invalid model: operator 0 (RESHAPE) 'y': asks for shape [6], the output has [3,2]");
  CHECK(moved(BuiltinOperator::EXPAND_DIMS, {3}, {}, {2, 3, 1}) ==
        "invalid model: operator 0 (EXPAND_DIMS) 'y': axis [3] is not one of a tensor of rank 3");
  CHECK(moved(BuiltinOperator::MEAN, {2}, {1}, {2}) ==
        "invalid model: operator 0 (MEAN) 'y': axis 2 of a tensor of rank 2");
  CHECK(moved(BuiltinOperator::MEAN, {1}, {1}, {3}) ==
        "invalid model: operator 0 (MEAN) 'y': output has shape [3] instead of [2]");
  CHECK(moved(BuiltinOperator::PAD, {0, 0, -1, 0}, {2, 2}, {2, 2}) ==
        "invalid model: operator 0 (PAD) 'y': padding -1 of dimension 1 is out of range");
  CHECK(moved(BuiltinOperator::PAD, {0, 0}, {1, 2}, {2, 3}) ==
        "invalid model: operator 0 (PAD) 'y': has 2 paddings for rank 2");
  CHECK(moved(BuiltinOperator::TRANSPOSE, {1, 1}, {2}, {3, 3}) ==
        "invalid model: operator 0 (TRANSPOSE) 'y': permutation [1,1] does not hold each of the 2 "
        "dimensions once");
  CHECK(moved(BuiltinOperator::TRANSPOSE, {1, 0}, {2}, {2, 3}) ==
        "invalid model: operator 0 (TRANSPOSE) 'y': output has shape [2,3] instead of [3,2]");

  ModelBuilder m;
  int a = m.input(m.s8({2}, "a", 0.5f)), b = m.input(m.s8({2}, "b", 0.25f));
  m.add(BuiltinOperator::CONCATENATION, {a, b}, {m.output(m.s8({4}, "y", 0.5f))});
  CHECK(problemsOf(m) == Lines{"unsupported: operator 0 (CONCATENATION) 'y': tensor 1 'b' is "
                               "quantised differently from the output; give all operands one "
                               "scale and zero point when converting"});
  auto *options = new tflite::ConcatenationOptionsT;
  options->axis = -2;
  m.op(0).builtin_options.type = BuiltinOptions::ConcatenationOptions;
  m.op(0).builtin_options.value = options;
  m.tensor(1).quantization->scale = {0.5f};
  CHECK(problemsOf(m) == Lines{"invalid model: operator 0 (CONCATENATION) 'y': axis -2 of a "
                               "tensor of rank 1"});
}

TEST_CASE("everything unsupported is listed at once") {
  ModelBuilder m = floatModel();
  m.model.operator_codes[0]->builtin_code = BuiltinOperator::CUSTOM;
  m.model.operator_codes[0]->deprecated_builtin_code = 32;
  m.model.operator_codes[0]->custom_code = "My\nOp";
  m.model.operator_codes[1]->builtin_code = static_cast<BuiltinOperator>(12345);
  m.add(BuiltinOperator::WHILE, {0}, {m.output(m.f32({2, 3}, "loop"))});
  std::string reason = "the operator is not implemented; ";
  std::string split = "split the model here and compute it in the application";
  std::string other = "express it by operators that are, or " + split;
  CHECK(problemsOf(m) ==
        Lines{"unsupported: operator 0 (CUSTOM \"My?Op\") 'sum': " + reason + split,
              "unsupported: operator 1 (code 12345) 'y': " + reason + other,
              "unsupported: operator 2 (WHILE) 'loop': " + reason + other});
}

TEST_CASE("state, sparse and outside data") {
  ModelBuilder m = floatModel();
  m.tensor(2).is_variable = true;
  CHECK(problemsOf(m)[0] == "unsupported: " + addName +
                                ": tensor 2 'sum' is a variable; convert "
                                "the model without state, or pass the state as input and output");
  m = convModel();
  m.tensor(1).sparsity = std::make_unique<tflite::SparsityParametersT>();
  CHECK(problemsOf(m)[0] == "unsupported: " + convName +
                                ": tensor 1 'w': sparse storage is not "
                                "supported; convert without sparsity");
  m = convModel();
  m.tensor(1).external_buffer = 1;
  CHECK(problemsOf(m)[0] == "unsupported: " + convName +
                                ": tensor 1 'w': the data stand in "
                                "another file; embed them when converting");
}

TEST_CASE("parts shared until they exceed the file by far") {
  // One operator table, used 2,000 times, with 2,000 operands.
  flatbuffers::FlatBufferBuilder builder;
  std::vector<int32_t> many(2000, 0);
  auto op = tflite::CreateOperatorDirect(builder, 0, &many, &many);
  std::vector<flatbuffers::Offset<tflite::Operator>> operators(2000, op);
  std::vector<flatbuffers::Offset<tflite::SubGraph>> graphs{
      tflite::CreateSubGraphDirect(builder, nullptr, nullptr, nullptr, &operators)};
  tflite::FinishModelBuffer(builder, tflite::CreateModelDirect(builder, 3, nullptr, &graphs));
  CHECK(problemsOf(std::string(reinterpret_cast<const char *>(builder.GetBufferPointer()),
                               builder.GetSize())) ==
        Lines{"invalid model: tensors and operators share their parts so often that they are "
              "far larger than the file"});
}

TEST_CASE("more operators than any network has") {
  auto reluChain = [](int count) {
    ModelBuilder m;
    int tensor = m.input(m.f32({4}, "x"));
    for (int i = 0; i < count; ++i) {
      int next = m.f32({4}, "r");
      m.add(BuiltinOperator::RELU, {tensor}, {next});
      tensor = next;
    }
    m.output(tensor);
    return m;
  };
  CHECK(problemsOf(reluChain(10000)).empty());
  CHECK(problemsOf(reluChain(10001)) ==
        Lines{"unsupported: the graph has 10001 operators, more than 10000; split the model and "
              "run its parts one after the other"});
}
