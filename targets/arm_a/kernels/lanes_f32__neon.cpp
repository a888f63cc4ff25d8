// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float32 operators without weights, NEON.
#include "targets/generic/kernels/lanes_f32.h"

AOTC_LANES_F32(neon, 4)
AOTC_EXPONENTIALS_F32(neon, 4)
