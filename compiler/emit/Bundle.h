// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What emit makes. Knows no MLIR.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace aotc {

/// A compiled model.
struct Bundle {
  ModelInterface interface;

  /// File NAME<suffix>: ".o", an ELF relocatable; ".h"; ".map.json", ".map.txt", ".html".
  struct File {
    llvm::StringRef suffix;
    std::string bytes;
  };
  std::vector<File> files; ///< in this order

  /// Of the file with that suffix, which must be there.
  const std::string &bytes(llvm::StringRef suffix) const;
};

} // namespace aotc
