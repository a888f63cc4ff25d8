// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/RequantizeFit.h"

#include "targets/generic/kernels/fixed_point.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotc {

static bool fitsInt32(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

int32_t OutputSteps::constantValue() const {
  int32_t value = -128;
  while (value < 127 && at[value + 1 + 128] <= first)
    ++value;
  return value;
}

bool OutputSteps::noneAbove() const {
  const int32_t value = constantValue();
  return value == 127 || at[value + 1 + 128] > last;
}

std::optional<OutputSteps> outputSteps(FixedMultiplier multiplier, int32_t zeroPoint,
                                       ClampRange range, int64_t first, int64_t last) {
  // |acc| * 2^shift < 2^30: nothing saturates or wraps, the product and the
  // zero point stay below 2^31.
  const int left = std::max(multiplier.shift, 0);
  const int64_t limit = (int64_t(1) << 30) >> left;
  if (first > last || first <= -limit || last >= limit)
    return std::nullopt;
  auto output = [&](int64_t acc) {
    return int32_t(aotc_requantize_s8(uint32_t(acc), {multiplier.mantissa, multiplier.shift}, 1,
                                      zeroPoint, range.min, range.max));
  };
  const double real = std::ldexp(double(multiplier.mantissa), multiplier.shift - 31);
  OutputSteps steps;
  steps.first = first;
  steps.last = last;
  int64_t low = first; // no step lies below the one before
  for (int32_t k = -128; k <= 127; ++k) {
    int64_t high = last + 1;
    // The neighbourhood of where it must be, if it is there; else bisection
    // over all.
    const double guess = real > 0 ? (k - 0.5 - zeroPoint) / real : double(first);
    if (guess > double(low) + 4 && guess < double(high) - 4) {
      if (const int64_t below = int64_t(guess) - 3; output(below) < k)
        low = below + 1;
      if (const int64_t above = int64_t(guess) + 3; output(above) >= k)
        high = above;
    }
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      if (output(middle) >= k)
        high = middle;
      else
        low = middle + 1;
    }
    steps.at[k + 128] = low;
  }
  return steps;
}

std::optional<int32_t> affineRound(const OutputSteps &steps, int64_t mantissa,
                                   const AffineForm &form) {
  auto product = [&](int64_t acc) { return ((acc << form.left) * mantissa) >> form.dropped; };
  // Every step is a bound.
  int64_t low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
  // Saturation leaves no step at -128.
  for (int32_t k = -127; k <= 127; ++k) {
    const int64_t acc = steps.at[k + 128], bound = int64_t(k) * (int64_t(1) << form.up);
    if (acc <= steps.last)
      low = std::max(low, bound - product(acc));
    if (acc > steps.first)
      high = std::min(high, bound - 1 - product(acc - 1));
    if (low > high)
      return std::nullopt;
  }
  // One of the bounds is there: either acc <= last or acc > first holds.
  const int64_t round = low == std::numeric_limits<int64_t>::min() ? high : low;
  if (!fitsInt32(round) || !fitsInt32(round + product(steps.first)) ||
      !fitsInt32(round + product(steps.last)))
    return std::nullopt;
  return int32_t(round);
}

std::optional<AffineFit> fitAffine(const OutputSteps &steps, FixedMultiplier multiplier,
                                   const AffineForm &form) {
  if (!fitsInt32(steps.first * (int64_t(1) << form.left)) ||
      !fitsInt32(steps.last * (int64_t(1) << form.left)))
    return std::nullopt;
  if (steps.constant()) {
    if (std::optional<int32_t> round = affineRound(steps, 0, form))
      return AffineFit{0, *round};
    return std::nullopt;
  }
  // mantissa * 2^(shift - 31) in units of 2^(left - dropped - up).
  const int exponent = multiplier.shift - 31 + form.dropped + form.up - form.left;
  if (exponent > 0 || exponent < -31)
    return std::nullopt;
  const int64_t nearest = int64_t(multiplier.mantissa) >> -exponent;
  for (int64_t step : {0, 1, -1, 2, -2}) {
    const int64_t mantissa = nearest + step;
    if (mantissa < 0 || mantissa >= int64_t(1) << form.mantissaBits)
      continue;
    if (std::optional<int32_t> round = affineRound(steps, mantissa, form))
      return AffineFit{int32_t(mantissa), *round};
  }
  return std::nullopt;
}

/// The bias for one mantissa: every step is a bound on it.
static std::optional<int32_t> biasFor(const OutputSteps &steps, int64_t mantissa,
                                      const ScaledForm &form) {
  int64_t low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
  auto scaled = [&](int64_t acc) { return acc * (int64_t(1) << form.scale); };
  for (int32_t k = -127; k <= 127; ++k) {
    // The output is k or more where high() reaches `least`, that is from the
    // sum `from` on: the smallest one with 2*sum*mantissa + 2^31 >= least << 32.
    const int64_t least =
        int64_t(k - form.zeroPoint) * (int64_t(1) << form.up) - (int64_t(1) << (form.up - 1));
    const int64_t from =
        llvm::divideCeilSigned(least * (int64_t(1) << 31) - (int64_t(1) << 30), mantissa);
    const int64_t acc = steps.at[k + 128];
    if (acc <= steps.last)
      low = std::max(low, from - scaled(acc));
    if (acc > steps.first)
      high = std::min(high, from - 1 - scaled(acc - 1));
    if (low > high)
      return std::nullopt;
  }
  const int64_t bias = low == std::numeric_limits<int64_t>::min() ? high : low;
  if (!fitsInt32(bias) || !fitsInt32(bias + scaled(steps.first)) ||
      !fitsInt32(bias + scaled(steps.last)))
    return std::nullopt;
  return int32_t(bias);
}

std::optional<ScaledFit> fitScaled(const OutputSteps &steps, FixedMultiplier multiplier,
                                   const ScaledForm &form) {
  if (!fitsInt32(steps.first * (int64_t(1) << form.scale)) ||
      !fitsInt32(steps.last * (int64_t(1) << form.scale)))
    return std::nullopt;
  // mantissa * 2^(shift - 31) in units of 2^(scale - 31 - up).
  const int exponent = multiplier.shift + form.up - form.scale;
  if (exponent > 0 || exponent < -31)
    return std::nullopt;
  const int64_t nearest = int64_t(multiplier.mantissa) >> -exponent;
  for (int64_t step : {0, 1, -1, 2, -2, 3, -3, 4}) {
    const int64_t mantissa = nearest + step;
    if (mantissa < 1 || mantissa >= int64_t(1) << 31)
      continue;
    if (std::optional<int32_t> bias = biasFor(steps, mantissa, form))
      return ScaledFit{int32_t(mantissa), *bias};
  }
  return std::nullopt;
}

} // namespace aotc
