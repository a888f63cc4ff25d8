// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phase `simplify` (Passes.td): rewritings of nn functions that change no
// bit of any result.
#pragma once

#include "compiler/ir/NNDialect.h"

#include "mlir/Pass/Pass.h"

namespace aotc::simplify {

/// To what numbers of channels are rounded up. Kernels that take channels in
/// groups take them by 8 at most; more would leave work, less save little.
inline constexpr int64_t kChannelMultiple = 8;

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/simplify/Passes.h.inc"

} // namespace aotc::simplify
