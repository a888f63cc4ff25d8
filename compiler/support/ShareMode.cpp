// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/support/ShareMode.h"

using llvm::StringRef;

static constexpr StringRef kNames[] = {"none", "in-place", "overlap"};

StringRef aotc::shareModeName(ShareMode mode) { return kNames[static_cast<int>(mode)]; }

std::optional<aotc::ShareMode> aotc::parseShareMode(StringRef name) {
  for (ShareMode mode : {ShareMode::none, ShareMode::inPlace, ShareMode::overlap})
    if (shareModeName(mode) == name)
      return mode;
  return std::nullopt;
}
