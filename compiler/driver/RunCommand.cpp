// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/Execution.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/driver/Profile.h"
#include "compiler/run/TensorFile.h"
#include "compiler/support/InterfaceJson.h"
#include "compiler/support/OutputFiles.h"
#include "compiler/support/Text.h"

#include "llvm/Support/Path.h"

namespace aotc {

namespace {

/// "output 'Identity' s8 [1, 12]: 3 -128 …", the first invocation, 16 values.
void printOutput(llvm::raw_ostream &os, const IoTensor &tensor, llvm::StringRef data) {
  constexpr int64_t most = 16;
  os << "output '" << printable(tensor.name) << "' " << dtypeName(tensor.type) << " [";
  llvm::interleaveComma(tensor.shape, os);
  os << "]:";
  int64_t count = tensor.bytes / dtypeSize(tensor.type);
  for (int64_t i = 0; i < std::min(count, most); ++i)
    os << ' ' << elementText(tensor.type, data.data() + i * dtypeSize(tensor.type), /*digits=*/6);
  os << (count > most ? " …\n" : "\n");
}

std::string outputFileName(const IoTensor &tensor) { return tensor.symbol + ".bin"; }

/// The figures under the names the map uses.
std::string figures(const Execution &execution, const std::optional<Profile> &layers, bool files) {
  const ModelInterface &model = execution.bundle.interface;
  const RunResult &result = execution.result;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  json.object([&] {
    jsonFigures(json, model, result.stackBytes);
    jsonRegions(json, model.regions);
    if (result.written)
      json.attributeObject("arena_written", [&] {
        json.attribute("first", result.written->first);
        json.attribute("end", result.written->end);
        json.attribute("bytes", result.written->bytes);
      });
    else
      json.attribute("arena_written", nullptr);
    jsonNumber(json, "instructions", result.instructions);
    jsonNumber(json, "ns_per_inference", result.nsPerInference);
    if (layers)
      jsonProfile(json, model, *layers);
    json.attribute("invocations", execution.inputs.invocations);
    jsonTensors(json, "inputs", model.inputs, [](const IoTensor &) {});
    jsonTensors(json, "outputs", model.outputs, [&](const IoTensor &tensor) {
      if (files)
        json.attribute("file", outputFileName(tensor));
    });
  });
  stream << '\n';
  return text;
}

} // namespace

int runCommand(const RunCommand &command) {
  if (!checkOptions(command.options))
    return 2;
  std::unique_ptr<llvm::MemoryBuffer> model = readModelFile(command.model);
  if (!model)
    return 1;
  std::optional<Execution> execution = execute(command, model->getBuffer());
  if (!execution)
    return 1;
  std::optional<Profile> layers;
  if (command.profile) {
    layers = profile(command, model->getBuffer(), *execution);
    if (!layers)
      return 1;
    // One figure for one inference.
    (layers->isTime ? execution->result.nsPerInference : execution->result.instructions) =
        layers->total;
  }
  const ModelInterface &interface = execution->bundle.interface;
  const RunResult &result = execution->result;

  std::vector<OutputFile> files;
  bool keepOutputs = !command.outputDir.empty();
  if (keepOutputs)
    for (auto [tensor, data] : llvm::zip(interface.outputs, result.outputs)) {
      llvm::SmallString<128> path(command.outputDir);
      llvm::sys::path::append(path, outputFileName(tensor));
      files.push_back({std::string(path), data});
    }
  std::string json = figures(*execution, layers, keepOutputs);
  if (!command.json.empty() && command.json != "-")
    files.push_back({command.json, json});
  if (llvm::Error error = writeOutputFiles(files))
    return reportError(std::move(error));
  if (command.json == "-") {
    llvm::outs() << json;
    return 0;
  }

  llvm::raw_ostream &os = llvm::outs();
  for (auto [tensor, data] : llvm::zip(interface.outputs, result.outputs))
    printOutput(os, tensor, data);
  if (execution->inputs.invocations > 1)
    os << "inferences    " << execution->inputs.invocations
       << " (the first one's outputs are above; --output-dir keeps all)\n";
  os << "target        " << interface.target << '\n';
  os << "RAM           " << interface.arenaBytes << " bytes arena, " << result.stackBytes
     << " bytes stack (measured)\n";
  os << "flash         " << interface.codeBytes + interface.weightsBytes << " bytes ("
     << interface.codeBytes << " code, " << interface.weightsBytes << " weights)\n";
  if (result.written)
    os << "memory        " << result.written->bytes << " bytes of the arena were written, from "
       << result.written->first << " to " << result.written->end << "; " << interface.layers.size()
       << " layers checked\n";
  if (result.instructions)
    os << "instructions  " << *result.instructions << " for one inference\n";
  if (result.nsPerInference)
    os << "time          " << durationText(*result.nsPerInference) << " for one inference\n";
  if (layers) {
    os << '\n';
    printProfile(os, interface, *layers);
  }
  return 0;
}

} // namespace aotc
