// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedModels.h"

#include "compiler/import/TFLite.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace aotc::test {

std::string sharedFolder() {
  if (const char *variable = std::getenv("AOTC_SHARED"))
    return variable;
  return AOTC_SOURCE_DIR "/../shared";
}

static std::vector<std::string> modelsIn(const std::string &folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".tflite")
      files.push_back(it->path());
  std::sort(files.begin(), files.end());
  return files;
}

int forEachSharedModel(
    llvm::ArrayRef<llvm::StringRef> folders,
    llvm::function_ref<void(const std::string &, mlir::ModuleOp, const std::vector<std::string> &)>
        visit) {
  std::string shared = sharedFolder();
  if (!llvm::sys::fs::is_directory(shared + "/models")) {
    llvm::outs() << "skipped: needs the shared test data ($AOTC_SHARED)\n";
    return 0;
  }
  int count = 0;
  for (llvm::StringRef folder : folders)
    for (const std::string &file : modelsIn(shared + "/" + folder.str())) {
      auto buffer = llvm::MemoryBuffer::getFile(file);
      if (!buffer)
        continue;
      mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
      std::vector<std::string> messages;
      mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
        messages.push_back(diagnostic.str());
        return mlir::success();
      });
      auto module = importTFLite(context, (*buffer)->getBuffer(), file);
      if (!module)
        continue;
      ++count;
      visit((folder + "/" + llvm::sys::path::filename(file)).str(), *module, messages);
    }
  return count;
}

} // namespace aotc::test
