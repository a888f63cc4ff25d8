// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requantisation in fewer instructions than fixed_point.h takes, and to the bit
// the same. An int8 output is a monotone step function of its accumulator: two
// formulas that agree at the at most 255 steps agree everywhere. So multiplier,
// rounding constant and shift may be chosen freely as long as the steps stay
// where they are.
#pragma once

#include "targets/generic/Requantize.h"

#include <array>
#include <optional>

namespace aotc {

/// Where the output of one channel steps up, over the accumulators it can have.
struct OutputSteps {
  int64_t first = 0, last = 0; ///< reachable accumulators, both inclusive
  /// at[k + 128]: the smallest reachable accumulator whose output is k or more;
  /// last + 1 if there is none.
  std::array<int64_t, 256> at = {};

  /// The output is the same for all reachable accumulators.
  bool constant() const { return at[constantValue() + 128] == first && noneAbove(); }
  /// The output of `first`.
  int32_t constantValue() const;

private:
  bool noneAbove() const;
};

/// The steps of aotc_requantize_s8 (kernels/fixed_point.h). Nothing if some
/// intermediate result of the reference could leave 32 bits.
std::optional<OutputSteps> outputSteps(FixedMultiplier multiplier, int32_t zeroPoint,
                                       ClampRange range, int64_t first, int64_t last);

/// out = saturate_s8((round + ((acc << left) * mantissa >> dropped)) >> up),
/// acc << left and the sum within 32 bits, mantissa within `mantissaBits` and
/// not negative.
struct AffineForm {
  int left = 0, dropped = 32, up = 0;
  int mantissaBits = 31;
};

struct AffineFit {
  int32_t mantissa = 0, round = 0;
};

/// The rounding constant with which `mantissa` gives the output of every reachable
/// accumulator; nothing if there is none.
std::optional<int32_t> affineRound(const OutputSteps &steps, int64_t mantissa,
                                   const AffineForm &form);

/// Constants with which `form` gives the output of every reachable accumulator;
/// nothing if there are none near the channel's multiplier.
std::optional<AffineFit> fitAffine(const OutputSteps &steps, FixedMultiplier multiplier,
                                   const AffineForm &form);

/// out = saturate_s8((high(acc * 2^scale + bias, mantissa) + (zero << up) +
/// 2^(up - 1)) >> up), where high(a, b) = (2*a*b + 2^31) >> 32: a bias finer than
/// the accumulator's unit in place of a rounding constant. acc << scale and the
/// sum within 32 bits.
struct ScaledForm {
  int scale = 0, up = 0;
  int32_t zeroPoint = 0;
};

struct ScaledFit {
  int32_t mantissa = 0, bias = 0;
};

/// As fitAffine, for that form.
std::optional<ScaledFit> fitScaled(const OutputSteps &steps, FixedMultiplier multiplier,
                                   const ScaledForm &form);

} // namespace aotc
