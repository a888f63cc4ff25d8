// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `aotc inspect` and `aotc targets`: tables on stdout.
#include "compiler/driver/Commands.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/import/Inspect.h"
#include "compiler/support/Text.h"
#include "targets/Machine.h"
#include "targets/StartUp.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace aotc {

namespace {

std::string quantText(const Quantization &quant) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (quant.perChannel())
    stream << quant.scales.size() << " scales along axis " << quant.axis;
  else if (!quant.empty())
    stream << "scale " << llvm::format("%.9g", quant.scale()) << ", zero point "
           << (quant.zeroPoints.empty() ? 0 : quant.zeroPoint());
  return text;
}

std::string tensorRole(const InspectedModel &model, const InspectedTensor &tensor) {
  if (llvm::is_contained(model.inputs, tensor.index))
    return "input";
  if (llvm::is_contained(model.outputs, tensor.index))
    return "output";
  return tensor.constant ? "constant" : tensor.variable ? "variable" : "";
}

void printText(const InspectedModel &model, llvm::raw_ostream &os) {
  os << model.operators.size() << " operators, " << model.tensors.size() << " tensors, "
     << model.subgraphs << (model.subgraphs == 1 ? " subgraph" : " subgraphs");
  if (!model.description.empty())
    os << " (" << printable(model.description) << ')';
  os << "\n\n";
  for (const InspectedOperator &op : model.operators) {
    os << llvm::format("%4lld  ", static_cast<long long>(op.index))
       << llvm::left_justify(printable(op.code), 24);
    auto list = [&os](llvm::ArrayRef<int64_t> tensors) {
      llvm::interleave(
          tensors, os,
          [&os](int64_t t) {
            if (t < 0)
              os << '-';
            else
              os << t;
          },
          ",");
    };
    list(op.inputs);
    os << " -> ";
    list(op.outputs);
    os << '\n';
  }
  os << "\ntensor  type      bytes     shape, quantisation, name\n";
  for (const InspectedTensor &tensor : model.tensors) {
    if (!tensor.used)
      continue;
    os << llvm::format("%6lld  ", static_cast<long long>(tensor.index))
       << llvm::left_justify(tensor.type, 8)
       << llvm::format("%9lld  ", static_cast<long long>(tensor.bytes))
       << llvm::left_justify(tensorRole(model, tensor), 9) << shapeText(tensor.shape);
    if (std::string quant = quantText(tensor.quant); !quant.empty())
      os << "  " << quant;
    os << "  '" << printable(tensor.name) << "'\n";
  }
  os << '\n';
  if (model.supported())
    os << "supported: yes\n";
  for (const std::string &problem : model.problems)
    os << problem << '\n';
  if (!model.supported())
    os << "operators that are implemented: " << llvm::join(model.implemented, ", ") << '\n';
}

void printJson(const InspectedModel &model, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, 2);
  auto strings = [&json](llvm::StringRef key, llvm::ArrayRef<std::string> texts) {
    json.attributeArray(key, [&] {
      for (const std::string &text : texts)
        json.value(llvm::json::fixUTF8(text));
    });
  };
  json.object([&] {
    json.attribute("supported", model.supported());
    json.attribute("description", llvm::json::fixUTF8(model.description));
    json.attribute("subgraphs", model.subgraphs);
    json.attribute("inputs", llvm::json::Array(model.inputs));
    json.attribute("outputs", llvm::json::Array(model.outputs));
    json.attributeArray("operators", [&] {
      for (const InspectedOperator &op : model.operators)
        json.object([&] {
          json.attribute("index", op.index);
          json.attribute("code", llvm::json::fixUTF8(op.code));
          json.attribute("version", op.version);
          json.attribute("inputs", llvm::json::Array(op.inputs));
          json.attribute("outputs", llvm::json::Array(op.outputs));
          strings("problems", op.problems);
        });
    });
    json.attributeArray("tensors", [&] {
      for (const InspectedTensor &tensor : model.tensors)
        json.object([&] {
          json.attribute("index", tensor.index);
          json.attribute("name", llvm::json::fixUTF8(tensor.name));
          json.attribute("type", tensor.type);
          json.attribute("shape", llvm::json::Array(tensor.shape));
          json.attribute("bytes", tensor.bytes);
          json.attribute("role", tensorRole(model, tensor));
          json.attribute("scales", llvm::json::Array(tensor.quant.scales));
          json.attribute("zero_points", llvm::json::Array(tensor.quant.zeroPoints));
        });
    });
    strings("problems", model.problems);
    strings("implemented", model.implemented);
  });
  os << '\n';
}

} // namespace

int inspectCommand(const InspectCommand &command) {
  std::unique_ptr<llvm::MemoryBuffer> bytes = readModelFile(command.model);
  if (!bytes)
    return 1;
  InspectedModel model = inspectTFLite(bytes->getBuffer());
  // Not a model at all: nothing to show but why.
  bool nothing = model.operators.empty() && !model.supported();
  if (command.json)
    printJson(model, llvm::outs());
  else if (nothing)
    for (const std::string &problem : model.problems)
      reportError(llvm::sys::path::filename(command.model) + ": " + problem);
  else
    printText(model, llvm::outs());
  return nothing ? 1 : 0;
}

int targetsCommand() {
  // CMake (cmake/AotcModel.cmake) reads the names up to a space.
  size_t width = 0;
  for (const TargetSpec &target : allTargets())
    width = std::max(width, target.name.size() + 2);
  for (const TargetSpec &target : allTargets()) {
    llvm::outs() << llvm::left_justify(target.name, width) << target.summary << '\n';
    llvm::outs() << llvm::left_justify("", width) << "kernels: " << target.levels << "; "
                 << target.triple;
    const std::vector<StartUpNeed> needs = startUpNeeds(target);
    llvm::interleaveComma(needs, llvm::outs() << (needs.empty() ? "" : "; start-up: "),
                          [](const StartUpNeed &need) { llvm::outs() << need.name; });
    llvm::outs() << '\n';
  }
  // Indented, so that every line that starts with a word is a target's.
  llvm::outs() << "\n  Machines (--machine):\n";
  for (const Machine &machine : allMachines()) {
    llvm::outs() << "  " << llvm::left_justify(machine.name, width) << machine.summary << '\n'
                 << llvm::left_justify("", width + 2) << machine.target << ":";
    for (const MemoryRegion &region : machine.regions)
      llvm::outs() << ' ' << region.name << '=' << *region.capacity / 1024 << "KiB";
    llvm::outs() << '\n';
  }
  return 0;
}

} // namespace aotc
