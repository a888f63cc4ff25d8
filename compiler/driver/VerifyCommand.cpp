// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `aotc verify`: outputs against expectations; where they differ and checksums
// of all tensors are at hand, the first layer that is wrong.
#include "compiler/driver/Execution.h"
#include "compiler/driver/ModelFile.h"
#include "compiler/run/Compare.h"
#include "compiler/run/TensorFile.h"
#include "compiler/support/Text.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

namespace aotc {

namespace {

/// One entry of a NAME.tensors.json: the checksum of what an operator writes in
/// the first invocation.
struct TensorChecksum {
  int64_t tensor = -1;
  std::string name, op;
  uint32_t crc = 0;
};

llvm::Error badChecksums(llvm::StringRef path, const llvm::Twine &why) {
  return llvm::createStringError("'" + path + "': " + why +
                                 "; expected a list of {\"tensor\" or \"index\", "
                                 "\"name\", \"op\" or \"op_name\", \"crc32\"}");
}

llvm::Expected<std::vector<TensorChecksum>> readChecksums(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json)
    return badChecksums(path, llvm::toString(json.takeError()));
  const llvm::json::Array *list = json->getAsArray();
  if (!list)
    return badChecksums(path, "not a list");
  std::vector<TensorChecksum> result;
  for (const llvm::json::Value &value : *list) {
    const llvm::json::Object *object = value.getAsObject();
    if (!object)
      return badChecksums(path, "an entry is not an object");
    TensorChecksum entry;
    std::optional<int64_t> tensor = object->getInteger("tensor");
    if (!tensor)
      tensor = object->getInteger("index");
    std::optional<int64_t> number = object->getInteger("crc32");
    std::optional<llvm::StringRef> hex = object->getString("crc32");
    if (!tensor || (!number && !hex))
      return badChecksums(path, "an entry has no tensor number or no crc32");
    if (number)
      entry.crc = static_cast<uint32_t>(*number);
    else if (hex->getAsInteger(16, entry.crc))
      return badChecksums(path, "crc32 '" + *hex + "' is not hexadecimal");
    entry.tensor = *tensor;
    entry.name = object->getString("name").value_or("").str();
    llvm::StringRef op = object->getString("op_name").value_or("");
    entry.op = (op.empty() ? object->getString("op").value_or("") : op).str();
    result.push_back(std::move(entry));
  }
  return result;
}

/// Runs the model with every surviving tensor as an output and compares their
/// checksums, in file order. Returns the number of wrong tensors; none if the
/// run failed.
std::optional<int64_t> compareLayers(const VerifyCommand &command, llvm::StringRef model) {
  auto checksums = readChecksums(command.tensors);
  if (!checksums) {
    reportError(checksums.takeError());
    return std::nullopt;
  }
  InferenceCommand run = command;
  run.options.exposeTensors = true;
  run.options.plan = run.options.savePlan = ""; // of other buffers
  run.saveElf.clear();
  run.checkMemory = false;
  std::optional<Execution> execution = execute(run, model);
  if (!execution)
    return std::nullopt;

  struct Survivor {
    const IoTensor *tensor;
    llvm::StringRef data;
  };
  std::map<int64_t, Survivor> survivors;
  for (auto [tensor, data] :
       llvm::zip(execution->bundle.interface.outputs, execution->result.outputs))
    survivors.try_emplace(tensor.tensor, Survivor{&tensor, data});

  int64_t equal = 0, wrong = 0;
  std::vector<std::string> gone;
  for (const TensorChecksum &entry : *checksums) {
    std::string label = "tensor " + std::to_string(entry.tensor) + " '" + printable(entry.name) +
                        "' of " + printable(entry.op);
    auto found = survivors.find(entry.tensor);
    if (found == survivors.end()) {
      gone.push_back(label);
      continue;
    }
    llvm::StringRef data = found->second.data.take_front(found->second.tensor->bytes);
    uint32_t crc = llvm::crc32(llvm::arrayRefFromStringRef(data));
    if (crc == entry.crc) {
      ++equal;
      continue;
    }
    if (wrong++ == 0)
      llvm::outs() << "first wrong layer: " << label << ", checksum "
                   << llvm::utohexstr(crc, true, 8) << ", expected "
                   << llvm::utohexstr(entry.crc, true, 8) << '\n';
  }
  llvm::outs() << "tensors: " << equal << " equal, " << wrong << " wrong, " << gone.size()
               << " not comparable (rewritten away";
  llvm::outs() << (command.options.keepTensors ? ")\n" : "; --keep-tensors keeps all)\n");
  for (const std::string &label : gone)
    llvm::outs() << "  not comparable: " << label << '\n';
  return wrong;
}

/// The --expect files, one per output.
llvm::Expected<std::vector<std::string>>
readExpected(const VerifyCommand &command, const ModelInterface &interface, int64_t inferences) {
  if (command.expect.size() != interface.outputs.size())
    return llvm::createStringError("the model has " + llvm::Twine(interface.outputs.size()) +
                                   " outputs, but " + llvm::Twine(command.expect.size()) +
                                   " files were given; give one --expect for each, in order");
  std::vector<std::string> result;
  for (auto [path, tensor] : llvm::zip_equal(command.expect, interface.outputs)) {
    int64_t invocations = 0;
    auto data = readTensorFile(path, tensor, invocations);
    if (!data)
      return data.takeError();
    if (invocations != inferences)
      return llvm::createStringError("'" + path + "' holds " + llvm::Twine(invocations) +
                                     " tensors, but the inputs are those of " +
                                     llvm::Twine(inferences) + " inferences");
    result.push_back(std::move(*data));
  }
  return result;
}

} // namespace

int verifyCommand(const VerifyCommand &command) {
  if (!checkOptions(command.options))
    return 2;
  std::unique_ptr<llvm::MemoryBuffer> model = readModelFile(command.model);
  if (!model)
    return 1;
  std::vector<std::string> expected;
  std::optional<Execution> execution =
      execute(command, model->getBuffer(),
              [&](const ModelInterface &interface, const InputData &inputs) -> llvm::Error {
                auto data = readExpected(command, interface, inputs.invocations);
                if (!data)
                  return data.takeError();
                expected = std::move(*data);
                return llvm::Error::success();
              });
  if (!execution)
    return 1;
  const ModelInterface &interface = execution->bundle.interface;
  int64_t wrong = 0, elements = 0;
  for (auto [i, tensor] : llvm::enumerate(interface.outputs)) {
    Comparison comparison = compareTensors(tensor.type, tensor.shape, execution->result.outputs[i],
                                           expected[i], {command.absolute, command.relative});
    elements += comparison.elements;
    wrong += comparison.wrong;
    if (!comparison.equal())
      llvm::outs() << "output '" << printable(tensor.name) << "': " << comparison.message() << '\n';
  }
  std::optional<int64_t> wrongLayers = 0;
  if (!command.tensors.empty()) {
    wrongLayers = compareLayers(command, model->getBuffer());
    if (!wrongLayers)
      return 1;
  }
  if (command.checkMemory)
    llvm::outs() << "memory: " << interface.layers.size()
                 << " layers, each changed only its results and its scratch\n";
  llvm::outs() << (wrong || *wrongLayers ? "different" : "equal") << ": " << wrong << " of "
               << elements << " output elements differ over " << execution->inputs.invocations
               << " inferences on " << command.options.target << '\n';
  return wrong || *wrongLayers ? 1 : 0;
}

} // namespace aotc
