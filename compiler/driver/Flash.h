// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code and weights against a machine's read-only memory.
#pragma once

#include "compiler/driver/Options.h"
#include "compiler/support/ModelInterface.h"

namespace aotc {

/// The memory for weights: a read-only region that names a section for them, the
/// cheapest; null if none does.
const MemoryRegion *weightsRegion(const CompileOptions &options);

/// Why code and weights do not fit the read-only memory; empty if they do, or if
/// nothing is known of it.
std::string flashProblem(const CompileOptions &options, const ModelInterface &model);

} // namespace aotc
