// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a set of files; each appears whole or not at all.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aotc {

struct OutputFile {
  std::string path;
  llvm::StringRef contents;
};

/// Writes every file under a temporary name beside its place, then renames
/// them all. Links are followed; devices and pipes are written directly, last.
/// No temporary file is left on an error, and nothing that was there before has
/// changed unless one of the last steps fails (a rename, a device): the files
/// before it are new then. Missing folders are made.
llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files);

} // namespace aotc
