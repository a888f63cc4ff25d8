// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For functions (INLINE) and lambdas (INLINED) that their callers' constants
// must reach, and for functions in assembly (NAKED).
#pragma once

#define AOTC_INLINED __attribute__((always_inline))
#define AOTC_INLINE AOTC_INLINED inline
#define AOTC_NAKED __attribute__((naked, noinline))
