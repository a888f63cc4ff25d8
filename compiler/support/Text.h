// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and shapes as messages and terminals show them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace aotc {

/// Any text (a user's tensor name, bytes of a file) as one line of at most 200
/// bytes and an ellipsis, without control characters: those become '?'.
std::string printable(llvm::StringRef text);

/// "812 ns", "45.3 us", "12.3 ms", "1.23 s": three digits at least, of nanoseconds.
std::string durationText(int64_t nanoseconds);

/// "[1,8,8,3]"
std::string shapeText(llvm::ArrayRef<int64_t> shape);

} // namespace aotc
