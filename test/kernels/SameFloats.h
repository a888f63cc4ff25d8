// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the floats of a fast kernel are those of the portable one, compiled for the same
// CPU; on the building machine and on boards. Freestanding.
//
// The same bits, of every operator: elements are computed by the same operations in the
// same order (targets/README.md, "Rules of a kernel"), and where one kernel fuses a
// product and a sum, so does the other. What may differ:
// - a NaN: which one it is depends on the order of operands, or it is the default one;
// - the sign of a zero, where there are weights: a sum of negative products that all
//   underflow is -0; absent taps and biases, which some kernels add as zeros, make it 0;
// - 0 and denormals, of levels that take denormals for 0 (vectors of Armv7-A and
//   Helium): what only moves or compares a number keeps a denormal. Its sign goes, too:
//   where RELU makes 0 of a negative denormal, it leaves the -0 that was flushed. The
//   portable kernel must have had 0 for denormals in its operands (flushed).
#pragma once

#include <stdint.h>

namespace aotc::test {

struct FloatRules {
  bool weights; ///< CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED
  bool flushes; ///< the fast kernel's level takes denormals for 0
};

inline bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }
inline bool is_zero(uint32_t bits) { return (bits & 0x7fffffff) == 0; }
inline bool is_zero_or_denormal(uint32_t bits) { return (bits & 0x7f800000) == 0; }

/// Denormals become a 0 of their sign.
inline uint32_t flushed(uint32_t bits) {
  return is_zero_or_denormal(bits) ? bits & 0x80000000 : bits;
}

inline bool same_float(uint32_t fast, uint32_t portable, FloatRules rules) {
  if (is_nan(portable))
    return is_nan(fast);
  if (rules.flushes && is_zero_or_denormal(portable))
    return is_zero_or_denormal(fast);
  if (rules.weights && is_zero(portable))
    return is_zero(fast);
  return fast == portable;
}

} // namespace aotc::test
