// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs device code as the compiler's loops do: whole, in blocks of rows, in
// either direction, from rows scattered in memory, or with input and output
// sharing memory.
#pragma once

#include "Cases.h"

#include "targets/KernelABI.h"

#include <vector>

namespace aotc::test {

/// This CPU has AVX-512 and VNNI; else CMakeLists.txt builds their kernels for AVX2.
bool hasAvx512();

/// False if the row's device code is not built for this machine or this CPU
/// lacks its instructions.
bool runsHere(const KernelRow &row);

struct RunOptions {
  int64_t blockRows = 0; ///< output rows per call; 0: all of an image
  bool descending = false;
  bool scattered = false; ///< each row in a place of its own, row kernels only
  bool fenced = false;    ///< a read behind an input or the scratch is a fault
  char poison = 0x55;     ///< what surrounds tensors and fills outputs
  /// Bytes from the output's first byte to that of operand `overlapped`, both
  /// in one buffer; not with `scattered`.
  bool overlap = false;
  int64_t distance = 0;
  int64_t overlapped = 0; ///< index into KernelCall::operands
};

/// The bytes of the outputs, one after the other. Fails the running test if
/// the kernel writes outside outputs and scratch.
std::vector<char> runKernel(const KernelCall &call, const Case &c, const RunOptions &options = {});

} // namespace aotc::test
