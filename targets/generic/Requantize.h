// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of fixed-point requantisation: what fixed_point.h applies on the
// device. Bit for bit TFLite's QuantizeMultiplier and activation ranges.
#pragma once

#include "compiler/support/Operator.h"
#include "targets/Kernel.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <vector>

namespace aotc {

/// real ~= mantissa * 2^(shift - 31); 2^30 <= mantissa < 2^31, or 0 with
/// shift 0. shift > 0 shifts left before the multiplication, < 0 right after.
struct FixedMultiplier {
  int32_t mantissa = 0;
  int32_t shift = 0;
};

/// TFLite's QuantizeMultiplier. Shifts below -31 give 0. `real` must be finite
/// and not negative.
FixedMultiplier quantizeMultiplier(double real);

/// quantizeMultiplier, or an error if `real` is negative, not finite, or so
/// large that the shift exceeds 30. `what` names it: "output multiplier".
llvm::Expected<FixedMultiplier> checkedMultiplier(double real, const std::string &what);

/// The type in which TFLite multiplies the scales of input and weights.
enum class ScaleProduct { inDouble, inFloat };

/// One multiplier per weight scale: input * weight / output. The division is in
/// double. Precondition: input and output are per tensor.
llvm::Expected<std::vector<FixedMultiplier>>
outputMultipliers(const Quantization &input, const Quantization &weights,
                  const Quantization &output, ScaleProduct product = ScaleProduct::inDouble);

/// Bounds of an integer output.
struct ClampRange {
  int32_t min = 0, max = 0;
};
/// The range of `output`'s type (s8, u8, s16), narrowed by the activation;
/// bounds are rounded in float, as TFLite does.
ClampRange quantizedClamp(Activation activation, const TensorDesc &output);

/// Bounds of a float output; where there is none, the largest finite value, as
/// in the reference.
struct FloatClamp {
  float min = 0, max = 0;
};
FloatClamp floatClamp(Activation activation);

/// The bits of a float, for a parameter struct of int32_t fields.
int32_t floatBits(float value);

/// Read-only data from 32-bit words, little-endian.
KernelData wordData(std::string name, llvm::ArrayRef<int32_t> words);

/// {mantissa, shift} pairs, as kernels/fixed_point.h's aotc_multiplier.
KernelData multiplierData(llvm::ArrayRef<FixedMultiplier> multipliers);

/// The i-th element of constant little-endian bytes.
int32_t constantS32(const TensorDesc &tensor, int64_t index);

} // namespace aotc
