// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every verb begins with: its options checked, the model's file read; and
// the one form of messages about what is wrong.
#pragma once

#include "compiler/driver/Options.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace aotc {

/// The file's bytes, or null after a message on stderr. Large files are mapped,
/// not read: one that is no model costs nothing.
std::unique_ptr<llvm::MemoryBuffer> readModelFile(llvm::StringRef path);

/// Prints a message and returns false if the options suit no model.
bool checkOptions(const CompileOptions &options);

/// Prints "error: TEXT" on stderr; returns 1, the exit status.
int reportError(const llvm::Twine &text);
int reportError(llvm::Error error);

} // namespace aotc
