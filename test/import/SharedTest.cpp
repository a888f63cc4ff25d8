// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports every .tflite file of the shared test data ($AOTC_SHARED, or the
// directory given): each is read, or refused with reasons, and those that must
// be refused are. Prints counts per folder; --verbose also each first reason.
#include "compiler/import/Inspect.h"
#include "compiler/import/TFLite.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace mlir;

namespace {

// The models the compiler promises to take.
constexpr llvm::StringLiteral kPromised[] = {
    "mlperf_ad01_int8",      "mlperf_kws_dscnn_int8",  "mlperf_vww96_int8",
    "mlperf_resnet8_int8",   "mlperf_resnet8_float",   "tflm_person_detect_int8",
    "tflm_hello_world_int8", "tflm_hello_world_float", "tflm_micro_speech_int8",
    "magic_wand_float",      "cifar10_float",          "tinymaix_mnist_int8",
    "kws_aww_int8",          "kws_arm_cnn_s_int8",     "tflm_simple_add_int8"};

struct Counts {
  int imported = 0, unsupported = 0, invalid = 0, wrong = 0;
};

/// Files that the manifest of bugs/ wants refused.
llvm::StringSet<> mustBeRefused(StringRef folder) {
  llvm::StringSet<> result;
  auto buffer = llvm::MemoryBuffer::getFile(folder + "/manifest.json");
  if (!buffer)
    return result;
  auto json = llvm::json::parse((*buffer)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return result;
  }
  for (const llvm::json::Value &entry : *json->getAsArray())
    if (entry.getAsObject()->getString("expect") == StringRef("refuse"))
      result.insert(*entry.getAsObject()->getString("file"));
  return result;
}

Counts importFolder(StringRef folder, bool verbose) {
  Counts counts;
  llvm::StringSet<> refused = mustBeRefused(folder);
  llvm::StringSet<> promised;
  if (llvm::sys::path::filename(folder) == "models")
    for (StringRef name : kPromised)
      promised.insert((name + ".tflite").str());
  std::error_code error;
  std::vector<std::string> files;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".tflite")
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      continue;
    StringRef name = llvm::sys::path::filename(file);
    MLIRContext context(MLIRContext::Threading::DISABLED);
    std::vector<std::string> messages;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      messages.push_back(diagnostic.str());
      return success();
    });
    auto module = aotc::importTFLite(context, (*buffer)->getBuffer(), file);
    auto inspected = aotc::inspectTFLite((*buffer)->getBuffer());
    auto wrong = [&](const llvm::Twine &text) {
      ++counts.wrong;
      llvm::outs() << "WRONG " << name << ": " << text << '\n';
    };
    if (module) {
      ++counts.imported;
      if (!messages.empty())
        wrong("imported, but said " + messages[0]);
      if (refused.contains(name))
        wrong("must be refused");
    } else if (messages.empty()) {
      wrong("refused without a reason");
    } else {
      bool invalid = StringRef(messages[0]).starts_with("invalid model: ");
      ++(invalid ? counts.invalid : counts.unsupported);
      for (const std::string &message : messages)
        if (!StringRef(message).starts_with("invalid model: ") &&
            !StringRef(message).starts_with("unsupported: "))
          wrong("message '" + message + "'");
      if (promised.contains(name))
        wrong("must be imported: " + messages[0]);
    }
    if (inspected.problems != messages)
      wrong("inspect and import disagree");
    if (verbose)
      llvm::outs() << name << ": "
                   << (messages.empty() ? std::string("ok") : llvm::join(messages, "\n    "))
                   << '\n';
  }
  return counts;
}

} // namespace

int main(int argc, char **argv) {
  std::string shared;
  bool verbose = false;
  for (int i = 1; i < argc; ++i)
    if (StringRef(argv[i]) == "--verbose")
      verbose = true;
    else
      shared = argv[i];
  if (const char *variable = std::getenv("AOTC_SHARED"))
    shared = variable;
  if (!llvm::sys::fs::is_directory(shared + "/models")) {
    llvm::outs() << "skipped: needs the shared test data ($AOTC_SHARED)\n";
    return 77; // CTest's SKIP_RETURN_CODE
  }
  int wrong = 0, total = 0;
  llvm::outs() << "folder          imported  unsupported  invalid  wrong\n";
  for (StringRef folder : {"models", "unit", "conformance", "nets", "models_made", "bugs"}) {
    Counts counts = importFolder(shared + "/" + folder.str(), verbose);
    llvm::outs() << llvm::left_justify(folder, 14)
                 << llvm::format("%10d %12d %8d %6d\n", counts.imported, counts.unsupported,
                                 counts.invalid, counts.wrong);
    wrong += counts.wrong;
    total += counts.imported + counts.unsupported + counts.invalid;
  }
  llvm::outs() << total << " files, " << wrong << " wrong\n";
  return wrong || !total ? 1 : 0;
}
