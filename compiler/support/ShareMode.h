// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// May an output take over a dying input's memory? As the user chooses it, and
// as passes read it.
#pragma once

#include "compiler/support/NamedValues.h"

#include <cstdint>

namespace aotc {

enum class ShareMode : uint8_t {
  none,    ///< never
  inPlace, ///< pairs of one size that may start at the same byte
  overlap, ///< also partly, by every rule of the kernels that is legal
};

inline constexpr NamedValue<ShareMode> kShareModes[] = {
    {ShareMode::none, "none"},
    {ShareMode::inPlace, "in-place"},
    {ShareMode::overlap, "overlap"},
};
inline llvm::StringRef shareModeName(ShareMode mode) { return nameIn(kShareModes, mode); }
inline std::optional<ShareMode> parseShareMode(llvm::StringRef name) {
  return valueIn(kShareModes, name);
}

} // namespace aotc
