// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phase `simplify` (Passes.td): rewritings of nn functions that change no
// bit of any result.
#pragma once

#include "compiler/ir/NNDialect.h"

#include "mlir/Pass/Pass.h"

namespace aotc::simplify {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/simplify/Passes.h.inc"

} // namespace aotc::simplify
