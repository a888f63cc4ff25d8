// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated header NAME.h.
#pragma once

#include "compiler/support/ModelInterface.h"

namespace aotc {

/// C11 and C++17 in one file, standing alone (it carries the text of
/// aotc/abi.h, under that file's guard). README.md describes its parts.
std::string printHeader(const ModelInterface &model);

/// Parts of every generated header. `region`: KWS_ARENA; a macro of this name,
/// KWS_ARENA(variable), that makes a static array of KWS_ARENA_SIZE bytes, in a
/// section of the object unless that is empty.
std::string storageMacro(llvm::StringRef region, llvm::StringRef section = "");
/// Defines AOTC_ASSERT_(condition, text); the header undefines it at its end.
llvm::StringRef assertMacro();

} // namespace aotc
