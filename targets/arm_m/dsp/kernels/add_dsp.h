// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of ADD for Armv7E-M, shared by host and device: operands of equal
// shape, out = sat8((lhs * lhs_factor + rhs * rhs_factor + round) >> shift).
#pragma once

#include <stdint.h>

struct aotc_add_dsp_shape {
  int32_t shift;
};
struct aotc_add_dsp_layer {
  int32_t count, lhs_factor, rhs_factor, round;
};
