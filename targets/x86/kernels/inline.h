// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For functions (INLINE) and lambdas (INLINED) that their callers' constants
// must reach.
#pragma once

#define AOTC_X86_INLINED __attribute__((always_inline))
#define AOTC_X86_INLINE AOTC_X86_INLINED inline
