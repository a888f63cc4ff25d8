// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a board's start-up code must have done before code of a target runs.
#pragma once

#include "compiler/support/StartUp.h"
#include "targets/Target.h"

#include <vector>

namespace aotc {

/// The core faults on unaligned accesses, so its code has none (Armv6-M, Armv8-M
/// Baseline).
bool isStrictlyAligned(const TargetSpec &target);

/// 32-bit Arm: the code may use an FPU, or Helium, whose registers are the FPU's.
bool usesFpu(const TargetSpec &target);

/// What code of `target` counts on; empty if nothing, or where an operating
/// system has seen to it. The one source of what header, map and `aotc targets`
/// say.
std::vector<StartUpNeed> startUpNeeds(const TargetSpec &target);

} // namespace aotc
