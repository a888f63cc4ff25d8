// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where an input or output of a model lies, as the user chooses it.
#pragma once

#include "compiler/support/NamedValues.h"

#include <cstdint>

namespace aotc {

enum class IoMode : uint8_t {
  arena,            ///< among the other buffers; an input may be overwritten
  arenaPreserved,   ///< there too, but an input's bytes are the same after a run
  caller,           ///< in memory of the caller that holds nothing else
  callerConsumable, ///< in memory of the caller that other buffers may use too
};

inline constexpr NamedValue<IoMode> kIoModes[] = {
    {IoMode::arena, "arena"},
    {IoMode::arenaPreserved, "arena-preserved"},
    {IoMode::caller, "caller"},
    {IoMode::callerConsumable, "caller-consumable"},
};
inline llvm::StringRef ioModeName(IoMode mode) { return nameIn(kIoModes, mode); }
inline std::optional<IoMode> parseIoMode(llvm::StringRef name) { return valueIn(kIoModes, name); }

inline bool isCallers(IoMode mode) {
  return mode == IoMode::caller || mode == IoMode::callerConsumable;
}

} // namespace aotc
