// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Child processes with a working directory and a time limit, several at once
// from one thread; temporary directories and files for them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace aotc {

/// An error made of one message.
llvm::Error runError(const llvm::Twine &message);

/// A fresh directory, removed with its content at the end of its life.
class TempDir {
public:
  static llvm::Expected<TempDir> create();
  TempDir(TempDir &&other) : path(std::move(other.path)) { other.path.clear(); }
  TempDir &operator=(TempDir &&) = delete;
  ~TempDir();
  /// The path of `name` in the directory.
  std::string file(const llvm::Twine &name) const;

private:
  explicit TempDir(std::string path) : path(std::move(path)) {}
  std::string path;
};

llvm::Error writeFile(llvm::StringRef path, llvm::StringRef content);
llvm::Expected<std::string> readFile(llvm::StringRef path);

/// "no end after 120 s; …": what to say of a bundle that ran too long.
std::string timeoutText(int64_t seconds);

struct Command {
  std::string program;           ///< full path
  std::vector<std::string> args; ///< without the program's name
  std::string directory;         ///< where it runs; its stderr goes there too
};

struct ProcessResult {
  int exitStatus = 0;
  int signal = 0;        ///< that ended it, or 0
  bool timedOut = false; ///< killed by us
  std::string stderrText;
  bool ok() const { return !exitStatus && !signal && !timedOut; }
  /// "exit status 3", "signal 11 (Segmentation fault)", "no end after 120 s";
  /// followed by the last line of stderr.
  std::string describe(int64_t timeoutSeconds) const;
};

/// Runs the commands, at most `parallel` at once, each at most
/// `timeoutSeconds`. An error only when a program cannot be started.
llvm::Expected<std::vector<ProcessResult>> runProcesses(llvm::ArrayRef<Command> commands,
                                                        unsigned parallel, int64_t timeoutSeconds);

} // namespace aotc
