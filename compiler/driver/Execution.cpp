// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Execution.h"

#include "compiler/driver/ModelFile.h"
#include "compiler/run/TensorFile.h"

#include "llvm/Support/Endian.h"

namespace aotc {

/// The generator of the TFLM baseline: a linear congruential generator whose
/// upper byte is taken; for floats, 32 bits scaled to [-1, 1).
static std::string pseudoRandom(const IoTensor &tensor, uint32_t seed) {
  uint32_t x = seed * 0x9E3779B1u;
  auto next = [&x] { return x = x * 1664525u + 1013904223u; };
  std::string data(tensor.bytes, '\0');
  if (tensor.type == DType::f32) {
    for (size_t i = 0; i + 4 <= data.size(); i += 4) {
      float value = static_cast<float>(static_cast<int32_t>(next()) / 2147483648.0);
      uint32_t bits;
      memcpy(&bits, &value, 4);
      llvm::support::endian::write32le(&data[i], bits);
    }
  } else {
    for (char &byte : data)
      byte = static_cast<char>(next() >> 24);
  }
  return data;
}

llvm::Expected<InputData> loadInputs(const InferenceCommand &command,
                                     const ModelInterface &interface) {
  InputData data;
  if (command.inputs.empty()) {
    for (auto [i, tensor] : llvm::enumerate(interface.inputs))
      data.tensors.push_back(pseudoRandom(tensor, command.seed + i));
    return data;
  }
  if (command.inputs.size() != interface.inputs.size())
    return llvm::createStringError("the model has " + llvm::Twine(interface.inputs.size()) +
                                   " inputs, but " + llvm::Twine(command.inputs.size()) +
                                   " files were given; give one --input for each, in order");
  for (auto [i, tensor] : llvm::enumerate(interface.inputs)) {
    int64_t invocations = 0;
    auto bytes = readTensorFile(command.inputs[i], tensor, invocations);
    if (!bytes)
      return bytes.takeError();
    if (i > 0 && invocations != data.invocations)
      return llvm::createStringError("'" + command.inputs[i] + "' holds " +
                                     llvm::Twine(invocations) + " tensors, '" + command.inputs[0] +
                                     "' " + llvm::Twine(data.invocations));
    data.invocations = invocations;
    data.tensors.push_back(std::move(*bytes));
  }
  return data;
}

RunCase makeCase(const Bundle &bundle, const InputData &inputs) {
  RunCase result;
  result.interface = &bundle.interface;
  result.object = bundle.bytes(".o");
  result.inputs = inputs.tensors;
  result.invocations = inputs.invocations;
  return result;
}

static llvm::Expected<RunResult> runBundle(const RunCase &runCase, const InferenceCommand &command,
                                           const RunOptions &options) {
  auto results = runBundles(runCase, command.options.target, options);
  if (!results)
    return results.takeError();
  return std::move(results->front());
}

std::optional<Bundle> compileAgain(const InferenceCommand &command, llvm::StringRef modelBytes,
                                   bool CompileOptions::*option) {
  CompileOptions options = command.options;
  options.*option = true;
  options.remarks = false;
  options.dumpPhases.clear();
  return compileModel(modelBytes, command.model, options, llvm::errs(), llvm::outs());
}

/// The same model once more, step by step; `expected` came of it as a whole.
static llvm::Error checkSteps(const InferenceCommand &command, llvm::StringRef modelBytes,
                              const InputData &inputs, const RunResult &expected) {
  std::optional<Bundle> bundle = compileAgain(command, modelBytes, &CompileOptions::stepwise);
  if (!bundle)
    return llvm::createStringError("cannot compile the model to run step by step");
  RunCase runCase = makeCase(*bundle, inputs);
  runCase.stepwise = true;
  RunOptions options;
  options.timeoutSeconds = command.timeoutSeconds;
  options.fillings = 2;
  llvm::Expected<RunResult> result = runBundle(runCase, command, options);
  if (!result)
    return result.takeError();
  if (result->outputs != expected.outputs)
    return llvm::createStringError("'" + bundle->interface.name +
                                   "' has other outputs when memory that holds nothing live is "
                                   "painted before each layer");
  return llvm::Error::success();
}

std::optional<Execution>
execute(const InferenceCommand &command, llvm::StringRef modelBytes,
        llvm::function_ref<llvm::Error(const ModelInterface &, const InputData &)> checkFirst) {
  std::optional<Bundle> bundle =
      compileModel(modelBytes, command.model, command.options, llvm::errs(), llvm::outs());
  if (!bundle)
    return std::nullopt;
  llvm::Expected<InputData> inputs = loadInputs(command, bundle->interface);
  if (!inputs) {
    reportError(inputs.takeError());
    return std::nullopt;
  }
  if (checkFirst)
    if (llvm::Error error = checkFirst(bundle->interface, *inputs)) {
      reportError(std::move(error));
      return std::nullopt;
    }
  RunOptions options;
  options.saveElf = command.saveElf;
  options.timeoutSeconds = command.timeoutSeconds;
  options.fillings = command.checkMemory ? 2 : 1;
  llvm::Expected<RunResult> result = runBundle(makeCase(*bundle, *inputs), command, options);
  if (result && command.checkMemory)
    if (llvm::Error error = checkSteps(command, modelBytes, *inputs, *result))
      result = std::move(error);
  if (!result) {
    reportError(result.takeError());
    return std::nullopt;
  }
  return Execution{std::move(*bundle), std::move(*inputs), std::move(*result)};
}

} // namespace aotc
