// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a set of files so that they appear whole or not at all.
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
/// them all. On an error nothing that was there before has changed and no
/// temporary file is left. Missing folders are made.
llvm::Error writeOutputFiles(llvm::ArrayRef<OutputFile> files);

} // namespace aotc
