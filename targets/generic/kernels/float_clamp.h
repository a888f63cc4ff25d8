// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device side: the fused activation of float kernels. Parameter structs hold
// int32_t only, so bounds travel as bits.
#pragma once

#include <stdint.h>

static inline float aotc_float_of_bits(int32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, 4);
  return value;
}

/// NaN passes, as in the reference.
static inline float aotc_clamp_f32(float x, float min, float max) {
  x = x < min ? min : x;
  return x > max ? max : x;
}
