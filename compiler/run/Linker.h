// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's ELF linker as a library.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aotc {

/// Runs ld.lld with these arguments (without the program's name). One link at
/// a time, whatever the number of threads. The error holds lld's messages.
llvm::Error linkElf(llvm::ArrayRef<std::string> arguments);

} // namespace aotc
