// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May an output take over a dying input's memory? As the user chooses it, and
// as passes read it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace aotc {

enum class ShareMode : uint8_t {
  none,    ///< never
  inPlace, ///< pairs of one size that may start at the same byte
  overlap, ///< also partly, by every rule of the kernels that is legal
};

/// "none", "in-place", "overlap".
llvm::StringRef shareModeName(ShareMode mode);
std::optional<ShareMode> parseShareMode(llvm::StringRef name);

} // namespace aotc
