// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/OutputFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <vector>

namespace aotc {

static llvm::Error writeError(llvm::StringRef path, std::error_code error) {
  return llvm::createStringError(error, "cannot write '%s': %s",
                                 path.str().c_str(), error.message().c_str());
}

namespace {

/// A file under a temporary name beside its place; removed unless kept, also
/// by a signal. (LLVM's TempFile would replace any '%' of the user's path.)
class Temporary {
public:
  explicit Temporary(const OutputFile &file) : file(file) {}
  ~Temporary() { discard(); }
  Temporary(const Temporary &) = delete;

  std::error_code write() {
    int descriptor = -1;
    std::error_code error = std::make_error_code(std::errc::file_exists);
    // A name may be left over from a process that was killed.
    for (int i = 0; i < 100 && error == std::errc::file_exists; ++i) {
      name = file.path + ".tmp" + std::to_string(llvm::sys::Process::getProcessId()) +
             "-" + std::to_string(i);
      error = llvm::sys::fs::openFileForWrite(name, descriptor,
                                              llvm::sys::fs::CD_CreateNew);
    }
    if (error) {
      name.clear();
      return error;
    }
    llvm::sys::RemoveFileOnSignal(name);
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream << file.contents;
    stream.close();
    error = stream.error();
    stream.clear_error();
    return error;
  }

  std::error_code keep() {
    std::error_code error = llvm::sys::fs::rename(name, file.path);
    if (!error) {
      llvm::sys::DontRemoveFileOnSignal(name);
      name.clear();
    }
    return error;
  }

private:
  void discard() {
    if (name.empty())
      return;
    llvm::sys::fs::remove(name);
    llvm::sys::DontRemoveFileOnSignal(name);
  }

  const OutputFile &file;
  std::string name; ///< empty: nothing to remove
};

} // namespace

llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files) {
  std::vector<std::unique_ptr<Temporary>> temporaries;
  for (const OutputFile &file : files) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file.path);
    if (!folder.empty())
      if (std::error_code error = llvm::sys::fs::create_directories(
              folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
        return writeError(file.path, error);
    if (llvm::sys::fs::is_directory(file.path))
      return writeError(file.path, std::make_error_code(std::errc::is_a_directory));
    temporaries.push_back(std::make_unique<Temporary>(file));
    if (std::error_code error = temporaries.back()->write())
      return writeError(file.path, error);
  }
  for (auto [temporary, file] : llvm::zip(temporaries, files))
    if (std::error_code error = temporary->keep())
      return writeError(file.path, error);
  return llvm::Error::success();
}

} // namespace aotc
