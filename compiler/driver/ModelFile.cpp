// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/driver/ModelFile.h"

#include "compiler/driver/Compile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace aotc {

int reportError(const llvm::Twine &text) {
  llvm::errs() << "error: " << text << '\n';
  return 1;
}

int reportError(llvm::Error error) { return reportError(llvm::toString(std::move(error))); }

std::unique_ptr<llvm::MemoryBuffer> readModelFile(llvm::StringRef path) {
  // A flatbuffer's offsets have 32 bits; larger files cannot be models.
  constexpr uint64_t limit = uint64_t(1) << 32;
  uint64_t size = 0;
  if (llvm::sys::fs::is_directory(path)) {
    reportError("'" + path + "' is a folder, not a model");
    return nullptr;
  }
  std::error_code error = llvm::sys::fs::file_size(path, size);
  if (!error && size > limit) {
    reportError("'" + path + "' has " + llvm::Twine(size) + " bytes; a model has at most " +
                llvm::Twine(limit));
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    reportError("cannot read '" + path + "': " + buffer.getError().message());
    return nullptr;
  }
  return std::move(*buffer);
}

bool checkOptions(const CompileOptions &options) {
  std::string problem = optionsError(options);
  if (!problem.empty())
    reportError(problem);
  return problem.empty();
}

} // namespace aotc
