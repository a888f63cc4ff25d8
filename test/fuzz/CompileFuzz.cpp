// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole compiler on arbitrary bytes, for a target that the bytes choose: it
// must give a bundle or reasons, in bounded time. What compiles for this machine
// is run now and then: it must stay inside its arena. Entry point of libFuzzer
// (AOTC_FUZZ) and of the built-in driver, ImportMutate.cpp.
#include "compiler/driver/Compile.h"
#include "compiler/import/Inspect.h"
#include "compiler/run/Run.h"
#include "targets/Target.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace aotc;

namespace {

struct Counts {
  int files = 0, imported = 0, compiled = 0, executed = 0;
  ~Counts() {
    std::printf("%d files: %d passed the importer, %d compiled, %d executed\n", files, imported,
                compiled, executed);
  }
} counts;

[[noreturn]] void fail(const CompileOptions &options, llvm::StringRef why) {
  std::fprintf(stderr, "target %s, rows %d: %s\n", options.target.c_str(),
               static_cast<int>(options.blockRows), why.str().c_str());
  std::abort();
}

} // namespace

bool isSeed(const std::string &bytes) { return inspectTFLite(bytes).supported(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  ++counts.files;
  // Most are refused here, which fuzz.import looks at.
  if (!inspectTFLite(bytes).supported())
    return 0;
  ++counts.imported;
  uint32_t choice = llvm::crc32({data, size});
  auto choose = [&choice](uint32_t n) {
    uint32_t result = choice % n;
    choice /= n;
    return result;
  };
  CompileOptions options;
  options.target = allTargets()[choose(allTargets().size())].name;
  options.share = static_cast<ShareMode>(choose(3));
  options.keepTensors = choose(4) == 0;
  options.descending = choose(4) == 0;
  options.blockRows = choose(3);
  bool mayRun = choose(4) == 0 && missingOnHost(*findTarget(options.target)).empty();

  alarm(60); // a hang ends the process
  std::string errors, ir;
  llvm::raw_string_ostream errorStream(errors), irStream(ir);
  std::optional<Bundle> bundle =
      compileModel(bytes, "model.tflite", options, errorStream, irStream);
  if (!ir.empty())
    fail(options, "printed IR");
  if (!bundle) {
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(errors).split(lines, '\n', -1, /*KeepEmpty=*/false);
    if (lines.empty() || llvm::count_if(lines, [](llvm::StringRef line) {
                           return line.contains("model.tflite: unsupported: ") ||
                                  line.contains("model.tflite: invalid model: ");
                         }) == 0)
      fail(options, "failed without a reason: " + errors);
    return 0;
  }
  ++counts.compiled;
  if (mayRun) {
    RunCase runCase;
    runCase.interface = &bundle->interface;
    runCase.object = bundle->bytes(".o");
    for (const IoTensor &tensor : bundle->interface.inputs)
      runCase.inputs.emplace_back(tensor.bytes, static_cast<char>(choice));
    if (auto results = runBundles(runCase, options.target); !results)
      fail(options, llvm::toString(results.takeError()));
    ++counts.executed;
  }
  alarm(0);
  return 0;
}
