// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float32 operators without weights, AVX2 and FMA.
#include "targets/generic/kernels/lanes_f32.h"

AOTC_LANES_F32(avx2, 8)
AOTC_EXPONENTIALS_F32(avx2, 8)
