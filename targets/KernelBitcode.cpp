// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel modules embedded by Bitcode.cmake. KernelBitcode.inc, which it
// writes, has one row AOTC_KERNEL_BITCODE(level, family, symbol) per module.

#include "targets/Target.h"

extern "C" {
#define AOTC_KERNEL_BITCODE(LEVEL, FAMILY, SYMBOL)                                                 \
  extern const char SYMBOL##_data[];                                                               \
  extern const char SYMBOL##_end[];
#include "targets/KernelBitcode.inc"
#undef AOTC_KERNEL_BITCODE
}

llvm::StringRef aotc::kernelBitcode(llvm::StringRef level, Family family) {
#define AOTC_KERNEL_BITCODE(LEVEL, FAMILY, SYMBOL)                                                 \
  if (level == LEVEL && family == Family::FAMILY)                                                  \
    return {SYMBOL##_data, static_cast<size_t>(SYMBOL##_end - SYMBOL##_data)};
#include "targets/KernelBitcode.inc"
#undef AOTC_KERNEL_BITCODE
  return {};
}
