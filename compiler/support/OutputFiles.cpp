// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/OutputFiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <vector>

namespace aotc {

static llvm::Error writeError(llvm::StringRef path, std::error_code error) {
  return llvm::createStringError(error, "cannot write '%s': %s", path.str().c_str(),
                                 error.message().c_str());
}

namespace {

/// A file under a temporary name beside its place; removed unless kept, also
/// by a signal. (LLVM's TempFile would replace any '%' of the user's path.)
class Temporary {
public:
  /// Takes the place of `target`, which is behind symbolic links.
  Temporary(const OutputFile &file, std::string target) : file(file), target(std::move(target)) {}
  ~Temporary() { discard(); }
  Temporary(const Temporary &) = delete;

  std::error_code write() {
    int descriptor = -1;
    std::error_code error = std::make_error_code(std::errc::file_exists);
    // A name may be left over from a process that was killed.
    for (int i = 0; i < 100 && error == std::errc::file_exists; ++i) {
      name = target + ".tmp" + std::to_string(llvm::sys::Process::getProcessId()) + "-" +
             std::to_string(i);
      error = llvm::sys::fs::openFileForWrite(name, descriptor, llvm::sys::fs::CD_CreateNew);
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
    std::error_code error = llvm::sys::fs::rename(name, target);
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
  std::string target;
  std::string name; ///< empty: nothing to remove
};

/// Writes to what stands there already: a device, a pipe.
std::error_code writeInPlace(const OutputFile &file) {
  std::error_code error;
  llvm::raw_fd_ostream stream(file.path, error, llvm::sys::fs::CD_OpenExisting,
                              llvm::sys::fs::FA_Write, llvm::sys::fs::OF_None);
  if (error)
    return error;
  stream << file.contents;
  stream.close();
  error = stream.error();
  stream.clear_error();
  return error;
}

} // namespace

llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files) {
  std::vector<std::pair<std::unique_ptr<Temporary>, const OutputFile *>> renamed;
  std::vector<const OutputFile *> inPlace;
  for (const OutputFile &file : files) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file.path);
    if (!folder.empty())
      if (std::error_code error = llvm::sys::fs::create_directories(folder, /*IgnoreExisting=*/true,
                                                                    llvm::sys::fs::all_all))
        return writeError(file.path, error);
    llvm::sys::fs::file_status status;
    bool exists = !llvm::sys::fs::status(file.path, status);
    if (exists && llvm::sys::fs::is_directory(status))
      return writeError(file.path, std::make_error_code(std::errc::is_a_directory));
    if (exists && !llvm::sys::fs::is_regular_file(status)) {
      inPlace.push_back(&file);
      continue;
    }
    llvm::SmallString<128> target(file.path);
    if (exists)
      if (std::error_code error = llvm::sys::fs::real_path(file.path, target))
        return writeError(file.path, error);
    renamed.emplace_back(std::make_unique<Temporary>(file, std::string(target)), &file);
    if (std::error_code error = renamed.back().first->write())
      return writeError(file.path, error);
  }
  for (auto &[temporary, file] : renamed)
    if (std::error_code error = temporary->keep())
      return writeError(file->path, error);
  for (const OutputFile *file : inPlace)
    if (std::error_code error = writeInPlace(*file))
      return writeError(file->path, error);
  return llvm::Error::success();
}

} // namespace aotc
