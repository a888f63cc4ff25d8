// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Driver of the model fuzzers without libFuzzer: a fixed number of mutated
// models from a fixed seed. Half of them are models changed as bytes, half
// are well-formed files with changed fields, which get past the verifier of
// the format. Seeds are the models of the import tests and the small ones in the
// folders given and in their folders models, unit and nets.
//
//   import_fuzz [FOLDER ...] [--files N] [--seed S] [--only K]
//
// A crash at file K (printed every 500 files) is repeated with --only K.
#include "test/import/ModelBuilder.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/// Whether the fuzzer wants mutations of this model.
bool isSeed(const std::string &bytes);

using namespace aotc;
using namespace aotc::test;

namespace {

class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  size_t below(size_t n) { return n ? random() % n : 0; }
  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }

  int64_t number() {
    static const int64_t kInteresting[] = {0,
                                           1,
                                           -1,
                                           2,
                                           3,
                                           4,
                                           7,
                                           8,
                                           127,
                                           128,
                                           255,
                                           256,
                                           -128,
                                           65535,
                                           65536,
                                           1 << 28,
                                           std::numeric_limits<int32_t>::max(),
                                           std::numeric_limits<int32_t>::min(),
                                           std::numeric_limits<int64_t>::max(),
                                           std::numeric_limits<int64_t>::min()};
    return chance(80) ? kInteresting[below(std::size(kInteresting))]
                      : static_cast<int64_t>(random());
  }
  float real() {
    static const float kInteresting[] = {0,
                                         1,
                                         -1,
                                         1e-40f,
                                         1e38f,
                                         0.5f,
                                         std::numeric_limits<float>::infinity(),
                                         std::numeric_limits<float>::quiet_NaN()};
    return kInteresting[below(std::size(kInteresting))];
  }

  void changeBytes(std::string &bytes) {
    for (size_t n = 1 + below(4); n > 0 && !bytes.empty(); --n) {
      size_t at = below(bytes.size());
      switch (below(6)) {
      case 0:
        bytes[at] ^= static_cast<char>(1 << below(8));
        break;
      case 1:
        bytes[at] = static_cast<char>(number());
        break;
      case 2: {
        int32_t value = static_cast<int32_t>(number());
        at &= ~size_t(3);
        std::memcpy(&bytes[at], &value, std::min<size_t>(4, bytes.size() - at));
        break;
      }
      case 3:
        bytes.resize(at);
        break;
      case 4:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(64)));
        break;
      default:
        bytes.erase(at, below(16));
      }
    }
  }

  void changeIndices(std::vector<int32_t> &indices, size_t count) {
    if (chance(30) && !indices.empty())
      indices.erase(indices.begin() + below(indices.size()));
    else if (chance(30))
      indices.push_back(static_cast<int32_t>(below(count)));
    else if (!indices.empty())
      indices[below(indices.size())] =
          chance(70) ? static_cast<int32_t>(below(count)) : static_cast<int32_t>(number());
  }

  void changeTensor(tflite::TensorT &tensor, size_t buffers) {
    switch (below(7)) {
    case 0:
      tensor.type = static_cast<TensorType>(chance(90) ? below(18) : number());
      break;
    case 1:
      tensor.buffer = static_cast<uint32_t>(chance(80) ? below(buffers) : number());
      break;
    case 2:
      tensor.is_variable = !tensor.is_variable;
      break;
    case 3:
      if (tensor.quantization)
        tensor.quantization.reset();
      else
        tensor.quantization = std::make_unique<tflite::QuantizationParametersT>();
      break;
    case 4:
      if (auto &quant = tensor.quantization) {
        quant->scale.resize(chance(50) ? quant->scale.size() : below(5), real());
        if (!quant->scale.empty())
          quant->scale[below(quant->scale.size())] = real();
        quant->zero_point.resize(chance(50) ? quant->scale.size() : below(5), number());
        quant->quantized_dimension = static_cast<int32_t>(number());
      }
      break;
    default:
      if (chance(30))
        tensor.shape.resize(below(6), 1);
      if (!tensor.shape.empty())
        tensor.shape[below(tensor.shape.size())] = static_cast<int32_t>(number());
    }
  }

  void changeOperator(tflite::OperatorT &op, tflite::ModelT &model) {
    size_t tensors = model.subgraphs[0]->tensors.size();
    switch (below(5)) {
    case 0:
      changeIndices(op.inputs, tensors);
      break;
    case 1:
      changeIndices(op.outputs, tensors);
      break;
    case 2:
      op.opcode_index =
          static_cast<uint32_t>(chance(80) ? below(model.operator_codes.size()) : number());
      break;
    default: {
      auto small = [&] { return static_cast<int32_t>(number()); };
      auto &options = op.builtin_options;
      if (auto *conv = options.AsConv2DOptions()) {
        int32_t *fields[] = {&conv->stride_h, &conv->stride_w, &conv->dilation_h_factor,
                             &conv->dilation_w_factor};
        *fields[below(4)] = small();
        conv->padding = static_cast<tflite::Padding>(below(3));
      } else if (auto *pool = options.AsPool2DOptions()) {
        int32_t *fields[] = {&pool->stride_h, &pool->stride_w, &pool->filter_height,
                             &pool->filter_width};
        *fields[below(4)] = small();
        pool->padding = static_cast<tflite::Padding>(below(3));
      } else if (auto *concat = options.AsConcatenationOptions()) {
        concat->axis = small();
      } else if (auto *reshape = options.AsReshapeOptions()) {
        reshape->new_shape.push_back(small());
      } else if (auto *softmax = options.AsSoftmaxOptions()) {
        softmax->beta = real();
      } else {
        options.Reset();
      }
    }
    }
  }

  void changeFields(tflite::ModelT &model) {
    for (size_t n = 1 + below(3); n > 0; --n) {
      tflite::SubGraphT &graph = *model.subgraphs[0];
      switch (below(8)) {
      case 0:
        changeIndices(chance(50) ? graph.inputs : graph.outputs, graph.tensors.size());
        break;
      case 1:
        if (!model.operator_codes.empty()) {
          auto &code = *model.operator_codes[below(model.operator_codes.size())];
          code.builtin_code = static_cast<BuiltinOperator>(chance(90) ? below(120) : number());
          code.deprecated_builtin_code = 0;
        }
        break;
      case 2:
        if (!model.buffers.empty()) {
          auto &buffer = *model.buffers[below(model.buffers.size())];
          if (chance(50))
            buffer.data.resize(below(2 * buffer.data.size() + 8));
          else if (chance(50) && !buffer.data.empty())
            buffer.data[below(buffer.data.size())] = static_cast<uint8_t>(number());
          else
            buffer.offset = number(), buffer.size = number();
        }
        break;
      case 3:
      case 4:
        if (!graph.operators.empty())
          changeOperator(*graph.operators[below(graph.operators.size())], model);
        break;
      default:
        if (!graph.tensors.empty())
          changeTensor(*graph.tensors[below(graph.tensors.size())], model.buffers.size());
      }
    }
  }

private:
  std::mt19937_64 random;
};

std::string pack(const tflite::ModelT &model) {
  flatbuffers::FlatBufferBuilder builder;
  tflite::FinishModelBuffer(builder, tflite::Model::Pack(builder, &model));
  return std::string(reinterpret_cast<const char *>(builder.GetBufferPointer()), builder.GetSize());
}

bool isWellFormed(const std::string &bytes) {
  flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  return tflite::VerifyModelBuffer(verifier) && tflite::GetModel(bytes.data())->subgraphs() &&
         tflite::GetModel(bytes.data())->subgraphs()->size();
}

void run(const std::string &seed, uint64_t number) {
  Mutator mutator(number);
  std::string bytes = seed;
  if (mutator.chance(50) && isWellFormed(seed)) {
    std::unique_ptr<tflite::ModelT> model(tflite::GetModel(seed.data())->UnPack());
    mutator.changeFields(*model);
    bytes = pack(*model);
  } else {
    mutator.changeBytes(bytes);
  }
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

} // namespace

int main(int argc, char **argv) {
  std::vector<std::string> folders;
  uint64_t files = 5000, seed = 1, only = ~uint64_t(0);
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.rfind("--", 0) != 0) {
      folders.push_back(argument);
      continue;
    }
    uint64_t value = i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0;
    (argument == "--files" ? files : argument == "--seed" ? seed : only) = value;
  }
  if (const char *variable = std::getenv("AOTC_SHARED"))
    folders.emplace_back(variable);

  std::vector<std::string> seeds = {convModel().bytes(), floatModel().bytes()};
  std::error_code error;
  std::vector<std::filesystem::path> paths;
  for (const std::string &folder : folders)
    for (const char *sub : {"", "models", "unit", "nets"})
      for (const auto &entry : std::filesystem::directory_iterator(folder + "/" + sub, error))
        if (entry.path().extension() == ".tflite" && entry.file_size(error) < 50000)
          paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const auto &path : paths) {
    std::ifstream stream(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (isSeed(bytes))
      seeds.push_back(std::move(bytes));
  }

  auto start = std::chrono::steady_clock::now();
  for (uint64_t k = 0; k < files; ++k) {
    if (k % 500 == 0)
      std::fprintf(stderr, "file %llu\n", static_cast<unsigned long long>(k));
    if (only == ~uint64_t(0) || only == k)
      run(seeds[k % seeds.size()], seed + k);
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%llu mutated files of %zu seeds in %.1f s, no crash\n",
              static_cast<unsigned long long>(files), seeds.size(), seconds);
  return 0;
}
