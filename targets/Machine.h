// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a machine, as the user or a machine file describes it.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace aotc {

/// Memory for a model's buffers. `base` or `section` says where it is, if known.
struct MemoryRegion {
  std::string name;
  std::optional<int64_t> capacity; ///< bytes; absent: as many as needed
  int64_t cost = 0;                ///< of a byte in it; cheap ones fill first
  int64_t align = 1;               ///< of its start, in bytes
  std::optional<int64_t> base;
  std::string section;
};

/// "65536", "64K", "64KiB", "1M", "1MiB"; K is 1,024. Nothing for other texts,
/// zero, and what is above 2^40.
std::optional<int64_t> parseBytes(llvm::StringRef text);

/// "NAME=SIZE[:COST]".
llvm::Expected<MemoryRegion> parseRegion(llvm::StringRef text);

} // namespace aotc
