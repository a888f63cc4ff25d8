// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler as a library: model bytes in, bundle out.
#pragma once

#include "compiler/driver/Options.h"
#include "compiler/emit/Bundle.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace aotc {

/// Why no model at all could be compiled with these options (unknown target,
/// phase or kernel level), with the nearest that could; empty if they are fine.
std::string optionsError(const CompileOptions &options);

/// Compiles a model. Diagnostics go to `errors`, one per line,
/// "error: MODEL: …"; returns nothing after an error, or after printing the IR
/// of `options.stopAfter` to `ir`. Re-entrant, no global state.
std::optional<Bundle> compileModel(llvm::StringRef modelBytes, llvm::StringRef modelFileName,
                                   const CompileOptions &options, llvm::raw_ostream &errors,
                                   llvm::raw_ostream &ir);

} // namespace aotc
