// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// posix_spawn and a polling loop. llvm::sys::ExecuteAndWait has neither a
// working directory nor a time limit that is safe for two children at once.

#include "compiler/run/Process.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>

extern char **environ;

using namespace aotc;
using Clock = std::chrono::steady_clock;

llvm::Error aotc::runError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

llvm::Expected<TempDir> TempDir::create() {
  llvm::SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("aotc-run", path))
    return runError("cannot create a temporary directory: " + code.message());
  return TempDir(path.str().str());
}

TempDir::~TempDir() {
  if (!path.empty())
    llvm::sys::fs::remove_directories(path);
}

std::string TempDir::file(const llvm::Twine &name) const {
  llvm::SmallString<128> full(path);
  llvm::sys::path::append(full, name);
  return full.str().str();
}

llvm::Error aotc::writeFile(llvm::StringRef path, llvm::StringRef content) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (!code) {
    os << content;
    os.close();
    code = os.error();
    os.clear_error();
  }
  if (code)
    return runError("cannot write '" + path + "': " + code.message());
  return llvm::Error::success();
}

llvm::Expected<std::string> aotc::readFile(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return runError("cannot read '" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

std::string aotc::timeoutText(int64_t seconds) {
  return "no end after " + std::to_string(seconds) + " s; allow it more with --timeout SECONDS";
}

std::string ProcessResult::describe(int64_t timeoutSeconds) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (timedOut)
    os << timeoutText(timeoutSeconds);
  else if (signal)
    os << "signal " << signal << " (" << strsignal(signal) << ")";
  else
    os << "exit status " << exitStatus;
  llvm::StringRef lastLine = llvm::StringRef(stderrText).rtrim().rsplit('\n').second;
  if (lastLine.empty())
    lastLine = llvm::StringRef(stderrText).rtrim();
  if (!lastLine.empty())
    os << ": " << lastLine;
  return text;
}

namespace {

struct Child {
  size_t command;
  pid_t pid;
  Clock::time_point start;
};

std::string stderrFile(const Command &command) { return command.directory + "/stderr.txt"; }

llvm::Expected<pid_t> spawn(const Command &command) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char *> argv = {const_cast<char *>(command.program.c_str())};
  for (const std::string &arg : command.args)
    argv.push_back(const_cast<char *>(arg.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  int code = posix_spawn(&pid, command.program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code)
    return runError("cannot start '" + command.program + "': " + std::strerror(code));
  return pid;
}

} // namespace

llvm::Expected<std::vector<ProcessResult>>
aotc::runProcesses(llvm::ArrayRef<Command> commands, unsigned parallel, int64_t timeoutSeconds) {
  std::vector<ProcessResult> results(commands.size());
  std::vector<Child> children;
  std::optional<llvm::Error> failure;
  size_t next = 0;
  auto pause = std::chrono::microseconds(200);
  while (!children.empty() || (next < commands.size() && !failure)) {
    while (children.size() < parallel && next < commands.size() && !failure) {
      llvm::Expected<pid_t> pid = spawn(commands[next]);
      if (pid)
        children.push_back({next++, *pid, Clock::now()});
      else
        failure = pid.takeError();
    }
    for (size_t i = 0; i < children.size();) {
      Child &child = children[i];
      ProcessResult &result = results[child.command];
      int status = 0;
      if (waitpid(child.pid, &status, WNOHANG) != child.pid) {
        if (Clock::now() - child.start > std::chrono::seconds(timeoutSeconds) && !result.timedOut) {
          result.timedOut = true;
          kill(child.pid, SIGKILL);
        }
        ++i;
        continue;
      }
      if (WIFSIGNALED(status))
        result.signal = WTERMSIG(status);
      else
        result.exitStatus = WEXITSTATUS(status);
      if (auto text = readFile(stderrFile(commands[child.command])))
        result.stderrText = std::move(*text);
      else
        llvm::consumeError(text.takeError());
      children.erase(children.begin() + i);
    }
    std::this_thread::sleep_for(pause);
    // Short programs are noticed at once, long ones cost nothing.
    pause = std::min(pause * 2, std::chrono::microseconds(10000));
  }
  if (failure)
    return std::move(*failure);
  return results;
}
