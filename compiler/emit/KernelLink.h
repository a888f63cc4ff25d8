// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Brings the kernels a model calls into its module and gives every function
// the attributes of the target row (README.md, "Bitcode").
#pragma once

#include "compiler/emit/LowerToLLVM.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace aotc {

/// Links only what is needed of `bitcode(level, family)`, makes everything but
/// the two public symbols internal. Errors name a kernel without module.
llvm::Error linkKernels(llvm::Module &model, llvm::ArrayRef<KernelUse> kernels,
                        const TargetSpec &target,
                        llvm::function_ref<llvm::StringRef(llvm::StringRef level, Family)> bitcode);

} // namespace aotc
