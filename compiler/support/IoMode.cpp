// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/IoMode.h"

using llvm::StringRef;

static constexpr StringRef kNames[] = {"arena", "arena-preserved", "caller", "caller-consumable"};

StringRef aotc::ioModeName(IoMode mode) { return kNames[static_cast<int>(mode)]; }

std::optional<aotc::IoMode> aotc::parseIoMode(StringRef name) {
  for (IoMode mode :
       {IoMode::arena, IoMode::arenaPreserved, IoMode::caller, IoMode::callerConsumable})
    if (ioModeName(mode) == name)
      return mode;
  return std::nullopt;
}
