// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated header NAME.h.
#pragma once

#include "compiler/support/ModelInterface.h"

namespace aotc {

/// C11 and C++17 in one file, standing alone (it carries the text of
/// aotc/abi.h, under that file's guard). README.md describes its parts.
std::string printHeader(const ModelInterface &model);

/// Its comment: what the model takes, needs from start-up code, how to call it.
void printHeaderComment(llvm::raw_ostream &os, const ModelInterface &model);

/// Parts of every generated header. `block`: KWS_ARENA; defines a macro of this
/// name, KWS_ARENA(variable), that makes a static array of KWS_ARENA_SIZE elements,
/// in a section of the linker script if one is named.
std::string storageMacro(llvm::StringRef block, llvm::StringRef element = "unsigned char",
                         llvm::StringRef section = "");
/// Defines AOTC_ASSERT_(condition, text); the header undefines it at its end.
llvm::StringRef assertMacro();

} // namespace aotc
