// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/OutputFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace aotc {

static llvm::Error writeError(llvm::StringRef path, std::error_code error) {
  return llvm::createStringError(error, "cannot write '%s': %s",
                                 path.str().c_str(), error.message().c_str());
}

llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files) {
  // TempFile removes itself unless kept; keep() renames, which is atomic.
  std::vector<llvm::sys::fs::TempFile> temporaries;
  auto discardAll = [&](size_t from) {
    for (size_t i = from; i < temporaries.size(); ++i)
      llvm::consumeError(temporaries[i].discard());
  };
  for (const OutputFile &file : files) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file.path);
    if (!folder.empty())
      if (std::error_code error = llvm::sys::fs::create_directories(folder)) {
        discardAll(0);
        return writeError(file.path, error);
      }
    if (llvm::sys::fs::is_directory(file.path)) {
      discardAll(0);
      return writeError(file.path,
                        std::make_error_code(std::errc::is_a_directory));
    }
    auto temporary = llvm::sys::fs::TempFile::create(
        file.path + ".tmp%%%%%%",
        llvm::sys::fs::all_read | llvm::sys::fs::owner_write);
    if (!temporary) {
      discardAll(0);
      return writeError(file.path, llvm::errorToErrorCode(temporary.takeError()));
    }
    llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
    stream << file.contents;
    stream.flush();
    std::error_code error = stream.error();
    stream.clear_error();
    temporaries.push_back(std::move(*temporary));
    if (error) {
      discardAll(0);
      return writeError(file.path, error);
    }
  }
  for (size_t i = 0; i < files.size(); ++i)
    if (llvm::Error error = temporaries[i].keep(files[i].path)) {
      discardAll(i + 1);
      return writeError(files[i].path, llvm::errorToErrorCode(std::move(error)));
    }
  return llvm::Error::success();
}

} // namespace aotc
