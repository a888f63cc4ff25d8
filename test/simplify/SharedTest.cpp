// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real and generated models give the same numbers before and after
// simplification for random inputs, and the stored ones for stored inputs: the
// importer, the phase and the portable kernels together, without code generation.
#include "Graphs.h"
#include "SharedModels.h"

#include "compiler/driver/Pipeline.h"

#include "llvm/Support/MemoryBuffer.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <iostream>

using namespace aotc;
using namespace aotc::test;

/// Arithmetic beyond this would take seconds.
static constexpr int64_t kMostMacs = 100'000'000;

/// About how many multiply-accumulates the interpreter will need.
static int64_t macs(mlir::func::FuncOp function) {
  int64_t sum = 0;
  function.walk([&](nn::NNOpInterface op) {
    TensorDesc result = nn::describeTensor(op->getResult(0));
    int64_t channels = result.shape.empty() ? 1 : result.shape.back();
    int64_t weights =
        op->getNumOperands() < 2 ? 1 : nn::describeTensor(op->getOperand(1)).elements() / channels;
    sum += result.elements() * std::max<int64_t>(weights, 1);
  });
  return sum;
}

static bool sameNumbers(mlir::Type elementType, const std::vector<char> &a,
                        const std::vector<char> &b) {
  if (!elementType.isF32() || a.size() != b.size())
    return a == b;
  for (size_t i = 0; i + 4 <= a.size(); i += 4) {
    float left, right;
    memcpy(&left, &a[i], 4), memcpy(&right, &b[i], 4);
    if (!(left == right) && !(left != left && right != right)) // -0 equals 0
      return false;
  }
  return true;
}

static int64_t countOps(mlir::func::FuncOp function) {
  int64_t count = 0;
  function.walk([&](nn::NNOpInterface) { ++count; });
  return count;
}

/// Float results within 1e-5 absolute plus 1e-5 relative, others equal.
static bool closeNumbers(mlir::Type elementType, const std::vector<char> &got,
                         llvm::StringRef expected) {
  if (!elementType.isF32())
    return llvm::StringRef(got.data(), got.size()) == expected;
  for (size_t i = 0; i + 4 <= got.size(); i += 4) {
    float left, right;
    memcpy(&left, &got[i], 4), memcpy(&right, expected.data() + i, 4);
    if (left != right && !(std::fabs(double(left) - right) <= 1e-5 + 1e-5 * std::fabs(right)))
      return false;
  }
  return true;
}

/// The files of the inputs or outputs ("in", "out") beside a model; empty if
/// one is missing. Each holds all invocations.
static std::vector<std::string> storedTensors(const std::string &model, const char *kind,
                                              size_t count) {
  std::vector<std::string> files;
  for (size_t i = 0; i < count; ++i) {
    std::string base = model.substr(0, model.size() - strlen(".tflite"));
    auto buffer = llvm::MemoryBuffer::getFile(base + "." + kind + std::to_string(i) + ".bin");
    if (!buffer)
      return {};
    files.push_back((*buffer)->getBuffer().str());
  }
  return files;
}

TEST_CASE("stored outputs of the shared data", "[shared]") {
  int compared = 0;
  int models = forEachSharedModel(
      {"models", "unit", "conformance", "nets", "models_made", "bugs"},
      [&](const std::string &name, mlir::ModuleOp module, const std::vector<std::string> &) {
        INFO(name);
        auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
        // Those of other people's models lie apart.
        llvm::StringRef file = name;
        std::string path = sharedFolder() +
                           (file.consume_front("models/") ? "/reference_outputs/litert/" : "/") +
                           file.str();
        auto inputs = storedTensors(path, "in", function.getNumArguments());
        auto outputs = storedTensors(path, "out", function.getNumResults());
        if (inputs.empty() || outputs.empty() || macs(function) > kMostMacs)
          return;
        REQUIRE(mlir::succeeded(runPhase(module, *findPhase("simplify"), {}, *findTarget("host"))));
        int64_t first = nn::describeTensor(function.getArgument(0)).bytes();
        for (int64_t call = 0; call < int64_t(inputs[0].size()) / first; ++call) {
          std::vector<std::vector<char>> arguments;
          for (auto [argument, all] : llvm::zip_equal(function.getArguments(), inputs)) {
            int64_t bytes = nn::describeTensor(argument).bytes();
            REQUIRE(int64_t(all.size()) >= (call + 1) * bytes);
            arguments.emplace_back(&all[call * bytes], &all[call * bytes] + bytes);
          }
          auto results = interpret(function, arguments);
          for (auto [type, got, all] :
               llvm::zip_equal(function.getResultTypes(), results, outputs)) {
            REQUIRE(all.size() >= (call + 1) * got.size());
            CHECK(closeNumbers(llvm::cast<mlir::RankedTensorType>(type).getElementType(), got,
                               llvm::StringRef(all).substr(call * got.size(), got.size())));
          }
        }
        ++compared;
      });
  std::cout << models << " models, " << compared << " with stored outputs compared\n";
  if (models)
    CHECK(compared > 250);
}

TEST_CASE("models of the shared data", "[shared]") {
  Random random(6);
  int compared = 0;
  int64_t before = 0, after = 0;
  int models = forEachSharedModel(
      {"models", "unit", "conformance", "nets", "bugs"},
      [&](const std::string &name, mlir::ModuleOp module,
          const std::vector<std::string> &messages) {
        INFO(name);
        auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
        REQUIRE(function);
        bool small = macs(function) < kMostMacs;
        std::vector<std::vector<char>> arguments, expected;
        if (small) {
          arguments = randomArguments(function, random);
          expected = interpret(function, arguments);
        }
        before += countOps(function);
        bool simplified =
            mlir::succeeded(runPhase(module, *findPhase("simplify"), {}, *findTarget("host")));
        INFO((messages.empty() ? "" : messages.back()));
        REQUIRE(simplified);
        after += countOps(function);
        if (!small)
          return;
        auto results = interpret(function, arguments);
        for (auto [type, a, b] : llvm::zip_equal(function.getResultTypes(), expected, results))
          CHECK(sameNumbers(llvm::cast<mlir::RankedTensorType>(type).getElementType(), a, b));
        ++compared;
      });
  std::cout << models << " models, " << compared << " compared, operators " << before << " before, "
            << after << " after\n";
  if (models)
    CHECK(compared > 100);
}
