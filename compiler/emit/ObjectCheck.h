// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an object back and holds it to the bundle's promises.
#pragma once

#include "compiler/support/ModelInterface.h"
#include "targets/Target.h"

#include "llvm/Support/Error.h"

namespace aotc {

struct ObjectSizes {
  int64_t codeBytes = 0; ///< text and read-only data without weights
  int64_t weightsBytes = 0;
};

/// Errors: an undefined symbol outside the documented list, a public symbol
/// without the model's prefix, writable or relocated data.
llvm::Expected<ObjectSizes> checkObject(llvm::StringRef object, const TargetSpec &target,
                                        const ModelInterface &interface);

/// True for what an object may ask of the program it is linked into: the three
/// memory functions, on Arm cores the run-time ABI's helpers, and `hooks`, if it
/// was made with them.
bool isAllowedUndefined(llvm::StringRef symbol, Family family, bool hooks = false);

} // namespace aotc
