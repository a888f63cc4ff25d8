// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The importer on arbitrary bytes: it must import or give reasons. Entry point
// of libFuzzer (AOTC_FUZZ) and of the built-in driver, ImportMutate.cpp.
#include "compiler/import/Inspect.h"
#include "compiler/import/TFLite.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <cstdio>
#include <cstdlib>

bool isSeed(const std::string &) { return true; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  int problems = 0;
  bool prefixed = true;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    std::string text = diagnostic.str();
    prefixed &= llvm::StringRef(text).starts_with("invalid model: ") ||
                llvm::StringRef(text).starts_with("unsupported: ");
    if (!prefixed)
      std::fprintf(stderr, "%s\n", text.c_str());
    ++problems;
    return mlir::success();
  });
  auto module = aotc::importTFLite(context, bytes, "model.tflite");
  if (static_cast<bool>(module) != (problems == 0) || !prefixed)
    std::abort();
  if (aotc::inspectTFLite(bytes).supported() != static_cast<bool>(module))
    std::abort();
  return 0;
}
