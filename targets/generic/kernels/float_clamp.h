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

/// A bound that all lanes of a vector are compared with. LLVM 22 makes of x < bound, if it
/// sees that the lanes are equal, Helium's VCMP LT with a scalar, which holds for NaN too;
/// of two vectors it makes VCMP GT, which does not.
template <typename Vector> static inline Vector aotc_lane_bound(Vector bound) {
#if defined(__ARM_FEATURE_MVE)
  if constexpr (sizeof(Vector) == 16)
    __asm__("" : "+w"(bound));
#endif
  return bound;
}

/// NaN passes, as in the reference.
static inline float aotc_clamp_f32(float x, float min, float max) {
  x = x < min ? min : x;
  return x > max ? max : x;
}
