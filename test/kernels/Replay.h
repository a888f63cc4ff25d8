// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which a kernel reads and writes, from its operator and the table in
// ReadAtOnce.cpp alone, and the overlap distances that follow from it.
#pragma once

#include "Cases.h"

#include "targets/Kernel.h"

#include <optional>
#include <vector>

namespace aotc::test {

/// Bytes begin <= b < end, relative to the tensor.
struct Bytes {
  int64_t begin, end;
};

/// What happens in one step: reads, then one write.
struct Step {
  std::vector<Bytes> reads;
  Bytes write;
};

/// All steps in the order of the kernel, of the operand that `rule` is about.
std::vector<Step> stepsOf(const Case &c, const KernelCall &call, const OverlapRule &rule,
                          bool descending);

/// The smallest distance from which on no step reads what an earlier one wrote;
/// nothing if there is no such read.
std::optional<int64_t> smallestDistance(const std::vector<Step> &steps, bool descending);

/// The smallest of all multiples from which on none meets, looked for from `said`
/// downwards; nothing if any place will do.
std::optional<int64_t> smallestMultiple(const std::vector<Step> &steps, bool descending,
                                        int64_t multiple, int64_t said);

} // namespace aotc::test
