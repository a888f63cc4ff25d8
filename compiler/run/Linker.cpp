// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/run/Linker.h"
#include "compiler/run/Process.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

llvm::Error aotc::linkElf(llvm::ArrayRef<std::string> arguments) {
  // lld keeps its state in globals; after a crash it cannot be entered again.
  static std::mutex mutex;
  static bool usable = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!usable)
    return runError("the linker crashed earlier and cannot be used again");

  std::vector<const char *> argv = {"ld.lld", "--threads=1"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string text;
  llvm::raw_string_ostream os(text);
  lld::Result result = lld::lldMain(argv, os, os, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode)
    return runError("cannot link: " + llvm::StringRef(text).trim());
  return llvm::Error::success();
}
