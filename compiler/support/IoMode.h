// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an input or output of a model lies, as the user chooses it.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace aotc {

enum class IoMode : uint8_t {
  arena,            ///< among the other buffers; an input may be overwritten
  arenaPreserved,   ///< there too, but an input's bytes are the same after a run
  caller,           ///< in memory of the caller that holds nothing else
  callerConsumable, ///< in memory of the caller that other buffers may use too
};

/// "arena", "arena-preserved", "caller", "caller-consumable".
llvm::StringRef ioModeName(IoMode mode);
std::optional<IoMode> parseIoMode(llvm::StringRef name);

inline bool isCallers(IoMode mode) {
  return mode == IoMode::caller || mode == IoMode::callerConsumable;
}

} // namespace aotc
