// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds small .tflite files in memory for tests: good ones, and, because all
// fields stay accessible, bad ones.
#pragma once

#include "compiler/import/schema/aotc_tflite_generated.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace aotc::test {

using tflite::BuiltinOperator;
using tflite::TensorType;

struct Quant {
  std::vector<float> scales;
  std::vector<int64_t> zeroPoints;
  int axis = 0;
};

class ModelBuilder {
public:
  tflite::ModelT model;

  ModelBuilder() {
    model.version = 3;
    model.buffers.push_back(std::make_unique<tflite::BufferT>());
    model.subgraphs.push_back(std::make_unique<tflite::SubGraphT>());
  }

  tflite::SubGraphT &graph() { return *model.subgraphs[0]; }
  tflite::TensorT &tensor(int index) { return *graph().tensors[index]; }
  tflite::OperatorT &op(int index) { return *graph().operators[index]; }
  tflite::BufferT &buffer(int index) { return *model.buffers[index]; }

  /// A tensor without data; its number.
  int add(TensorType type, std::vector<int32_t> shape, std::string name, Quant quant = {}) {
    auto tensor = std::make_unique<tflite::TensorT>();
    tensor->type = type;
    tensor->shape = std::move(shape);
    tensor->name = std::move(name);
    if (!quant.scales.empty()) {
      tensor->quantization = std::make_unique<tflite::QuantizationParametersT>();
      tensor->quantization->scale = quant.scales;
      tensor->quantization->zero_point = quant.zeroPoints;
      tensor->quantization->quantized_dimension = quant.axis;
    }
    graph().tensors.push_back(std::move(tensor));
    return static_cast<int>(graph().tensors.size()) - 1;
  }
  int f32(std::vector<int32_t> shape, std::string name) {
    return add(TensorType::FLOAT32, std::move(shape), std::move(name));
  }
  int s8(std::vector<int32_t> shape, std::string name, float scale = 0.5f, int64_t zeroPoint = 0) {
    return add(TensorType::INT8, std::move(shape), std::move(name), {{scale}, {zeroPoint}});
  }
  int input(int tensor) {
    graph().inputs.push_back(tensor);
    return tensor;
  }
  int output(int tensor) {
    graph().outputs.push_back(tensor);
    return tensor;
  }
  /// Gives a tensor data of its own.
  template <typename T> int constant(int index, const std::vector<T> &values) {
    auto buffer = std::make_unique<tflite::BufferT>();
    buffer->data.resize(values.size() * sizeof(T));
    std::memcpy(buffer->data.data(), values.data(), buffer->data.size());
    model.buffers.push_back(std::move(buffer));
    tensor(index).buffer = static_cast<uint32_t>(model.buffers.size() - 1);
    return index;
  }
  int ints(std::vector<int32_t> values, std::string name) {
    int index = add(TensorType::INT32, {static_cast<int32_t>(values.size())}, std::move(name));
    return constant(index, values);
  }

  /// An operator; `options` (of `kind`) is owned by the model.
  int add(BuiltinOperator code, std::vector<int32_t> inputs, std::vector<int32_t> outputs,
          tflite::BuiltinOptions kind = tflite::BuiltinOptions::NONE, void *options = nullptr) {
    auto op = std::make_unique<tflite::OperatorT>();
    op->opcode_index = static_cast<uint32_t>(model.operator_codes.size());
    op->inputs = std::move(inputs);
    op->outputs = std::move(outputs);
    op->builtin_options.type = kind;
    op->builtin_options.value = options;
    auto entry = std::make_unique<tflite::OperatorCodeT>();
    entry->builtin_code = code;
    entry->deprecated_builtin_code =
        static_cast<int8_t>(std::min<int32_t>(static_cast<int32_t>(code), 127));
    model.operator_codes.push_back(std::move(entry));
    graph().operators.push_back(std::move(op));
    return static_cast<int>(graph().operators.size()) - 1;
  }

  std::string bytes() const {
    flatbuffers::FlatBufferBuilder builder;
    builder.ForceDefaults(false);
    tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
    return std::string(reinterpret_cast<const char *>(builder.GetBufferPointer()),
                       builder.GetSize());
  }
};

/// Options of CONV_2D; padding SAME unless `valid`.
inline tflite::Conv2DOptionsT *conv2DOptions(int strideH, int strideW, bool valid = false) {
  auto *options = new tflite::Conv2DOptionsT;
  options->padding = valid ? tflite::Padding::VALID : tflite::Padding::SAME;
  options->stride_h = strideH;
  options->stride_w = strideW;
  return options;
}

/// input "x" [1,6,5,2] -> CONV_2D 3x3, stride 2, SAME -> "y" [1,3,3,4], all
/// int8. Tensors: 0 x, 1 w, 2 b, 3 y.
inline ModelBuilder convModel() {
  ModelBuilder m;
  int x = m.input(m.s8({1, 6, 5, 2}, "x", 0.5f, -3));
  int w = m.add(TensorType::INT8, {4, 3, 3, 2}, "w", {{0.1f, 0.2f, 0.3f, 0.4f}, {0, 0, 0, 0}, 0});
  m.constant(w, std::vector<int8_t>(72, 7));
  // A quantised dimension that a 1-D bias does not have: some files say so.
  int b = m.add(TensorType::INT32, {4}, "b", {{.05f, .1f, .15f, .2f}, {0, 0, 0, 0}, 3});
  m.constant(b, std::vector<int32_t>{1, -2, 3, -4});
  int y = m.output(m.s8({1, 3, 3, 4}, "y", 0.25f, 5));
  m.add(BuiltinOperator::CONV_2D, {x, w, b}, {y}, tflite::BuiltinOptions::Conv2DOptions,
        conv2DOptions(2, 2));
  return m;
}

/// x, z [2,3] -> ADD -> "sum" -> SOFTMAX -> "y", float. Tensors 0 to 3.
inline ModelBuilder floatModel() {
  ModelBuilder m;
  int x = m.input(m.f32({2, 3}, "x"));
  int z = m.input(m.f32({2, 3}, "z"));
  int sum = m.f32({2, 3}, "sum");
  int y = m.output(m.f32({2, 3}, "y"));
  auto *relu = new tflite::AddOptionsT;
  relu->fused_activation_function = tflite::ActivationFunctionType::RELU;
  m.add(BuiltinOperator::ADD, {x, z}, {sum}, tflite::BuiltinOptions::AddOptions, relu);
  auto *softmax = new tflite::SoftmaxOptionsT;
  softmax->beta = 1.0f;
  m.add(BuiltinOperator::SOFTMAX, {sum}, {y}, tflite::BuiltinOptions::SoftmaxOptions, softmax);
  return m;
}

} // namespace aotc::test
