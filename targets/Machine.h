// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines: a CPU and the memory around it, as a machine file (YAML) says. The
// files of machines/ are part of aotc; README.md explains their keys.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace aotc {

/// What memory is for: code and constants (rx), constants (r), buffers (rw).
enum class Access : uint8_t { rx, r, rw };

/// One memory. `base` or `section` says where it is, if known.
struct MemoryRegion {
  std::string name;
  std::optional<int64_t> capacity; ///< bytes; absent: as many as needed
  int64_t cost = 0;                ///< of a byte in it; cheap ones fill first
  int64_t align = 1;               ///< of blocks in it, in bytes
  std::optional<int64_t> base;
  std::string section;
  Access access = Access::rw;
  std::string note; ///< for people
};

struct Machine {
  std::string name, summary;
  std::string target; ///< TargetSpec::name of its core
  std::string source; ///< of the figures: data sheet, reference manual
  std::vector<MemoryRegion> regions;
};

/// The machine a file describes. An error has "FILE:LINE:COLUMN: ", what is wrong
/// and, for figures that contradict each other, which.
llvm::Expected<Machine> parseMachine(llvm::StringRef yaml, llvm::StringRef fileName);

/// Those that aotc carries, by name.
llvm::ArrayRef<Machine> allMachines();
const Machine *findMachine(llvm::StringRef name);
/// The known names nearest to `name`, for "did you mean".
llvm::SmallVector<llvm::StringRef, 3> similarMachines(llvm::StringRef name);

/// "65536", "0x10000", "64K", "64KiB", "1M", "1MiB"; K is 1,024. Nothing for
/// other texts, zero, and what is above 2^40.
std::optional<int64_t> parseBytes(llvm::StringRef text);

/// Which regions with a base overlap, or wrap past 32 bits; empty if none does.
std::string addressProblem(llvm::ArrayRef<MemoryRegion> regions);

/// Changes the list by "NAME=SIZE[:COST]" (a region of that name gets this size,
/// else there is a new one for buffers) or "NAME=none" (it is taken away).
llvm::Error editRegions(std::vector<MemoryRegion> &regions, llvm::StringRef text);

} // namespace aotc
