// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float32 operators without weights, scalar FPU of Cortex-M: four elements at a time.
#include "targets/generic/kernels/lanes_f32.h"

AOTC_LANES_F32(fpu, 4)
