// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors in files: raw little-endian bytes (.bin, any other suffix) and NumPy
// arrays (.npy). A file longer than one tensor holds several invocations, one
// after the other.
#pragma once

#include "compiler/support/ModelInterface.h"

#include "llvm/Support/Error.h"

namespace aotc {

/// The bytes of `path`, a whole number (>= 1) of tensors like `tensor`. A .npy
/// must have its element type and its shape, or [n, shape…], or that with the
/// leading 1 of the shape replaced by n. The number comes back in
/// `invocations`. Errors name the file, what it holds and what is needed.
llvm::Expected<std::string> readTensorFile(llvm::StringRef path, const IoTensor &tensor,
                                           int64_t &invocations);

/// The data of a .npy file (versions 1 to 3, little-endian, C order), checked
/// as above; for data already in memory. `name` is for messages.
llvm::Expected<std::string> parseNpy(llvm::StringRef content, const IoTensor &tensor,
                                     llvm::StringRef name);

/// Writes data of one tensor or several: as .npy if `path` ends so ([n, shape…]
/// for n > 1), else raw.
llvm::Error writeTensorFile(llvm::StringRef path, const IoTensor &tensor, llvm::StringRef data);

} // namespace aotc
