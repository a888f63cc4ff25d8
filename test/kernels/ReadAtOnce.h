// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each fast device function reads before it writes any of it: from this the
// tests of overlap distances (OverlapTest.cpp) know the order of reads and writes.
#pragma once

#include "targets/Kernel.h"

namespace aotc::test {

/// How a kernel visits its output, if not element by element in the order of
/// addresses or its reverse.
struct ReadAtOnce {
  int64_t pixels = 0; ///< so many are read before any of them is written
  /// The same of one pixel's channels, counted from its first; with `pixels`, of
  /// those pixels: first to last in both directions, the last block of pixels
  /// moves back into the row.
  int64_t channels = 0;
  bool reverse = false;    ///< channels, too, go last to first
  bool restAtOnce = false; ///< pixels left of a row are one more block
  /// Elements of a vector, tails too: the distances are those of single elements,
  /// but no distance is too small for so few.
  int64_t lanes = 1;
  int64_t elements = 0; ///< so many of any shape are read at once, those left one by one
};

/// Of the device function of `call`; portable ones go element by element. Fails the
/// running test if it is not in the table.
ReadAtOnce readAtOnce(const KernelCall &call);

/// Names in the table, "aotc_add_s8__neon".
std::vector<std::string> tabledFunctions();

} // namespace aotc::test
