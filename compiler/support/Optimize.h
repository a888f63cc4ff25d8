// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user wants least of. compiler/lower/README.md says how the choice of
// kernels follows it.
#pragma once

#include "compiler/support/NamedValues.h"

#include <cstdint>

namespace aotc {

enum class Optimize : uint8_t {
  balanced, ///< cycles, as long as the arena hardly grows for them: 5 % or 200 bytes;
            ///< Cortex-A, x86: 5 % or 64 KiB
  speed,    ///< that, or as long as the arena holds no more than tensors that share nothing
  size,     ///< code, parameters and arena
};

inline constexpr NamedValue<Optimize> kOptimizes[] = {
    {Optimize::balanced, "balanced"},
    {Optimize::speed, "speed"},
    {Optimize::size, "size"},
};
inline llvm::StringRef optimizeName(Optimize optimize) { return nameIn(kOptimizes, optimize); }
inline std::optional<Optimize> parseOptimize(llvm::StringRef name) {
  return valueIn(kOptimizes, name);
}

} // namespace aotc
