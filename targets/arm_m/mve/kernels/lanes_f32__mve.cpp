// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float32 operators without weights, Armv8.1-M with Helium.
#include "targets/generic/kernels/lanes_f32.h"

AOTC_LANES_F32(mve, 4)
AOTC_EXPONENTIALS_F32(mve, 4)
