// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multipliers, activation ranges and the device's fixed-point operations.
#include "Models.h"

#include "targets/arm_m/kernels/pool_2d_s8.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/fixed_point.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace aotc;
using namespace aotc::test;

TEST_CASE("real multipliers become mantissa and shift") {
  auto is = [](FixedMultiplier m, int64_t mantissa, int shift) {
    return m.mantissa == mantissa && m.shift == shift;
  };
  CHECK(is(quantizeMultiplier(0), 0, 0));
  CHECK(is(quantizeMultiplier(1), 1 << 30, 1)); // 0.5 * 2^1
  CHECK(is(quantizeMultiplier(0.5), 1 << 30, 0));
  CHECK(is(quantizeMultiplier(0.75), 3 << 29, 0));
  CHECK(is(quantizeMultiplier(3), 3 << 29, 2));
  // Just below 1: the mantissa rounds to 2^31 and is halved.
  CHECK(is(quantizeMultiplier(1 - std::exp2(-40)), 1 << 30, 1));
  // 2^-32 = 0.5 * 2^-31 is the smallest that counts.
  CHECK(is(quantizeMultiplier(std::exp2(-32)), 1 << 30, -31));
  CHECK(is(quantizeMultiplier(std::exp2(-33)), 0, 0));
}

TEST_CASE("impossible multipliers are refused") {
  for (double bad : {-1.0, std::nan(""), HUGE_VAL, std::exp2(31)}) {
    auto fixed = checkedMultiplier(bad, "output multiplier");
    REQUIRE(!fixed);
    CHECK(llvm::toString(fixed.takeError()).find("output multiplier is") == 0);
  }
}

TEST_CASE("the product of two scales in float or in double") {
  // 1.5 * (1 + 2^-23) = 1.5 + 1.5 * 2^-23: a tie between steps of a float,
  // which goes to the even one, 1.5 + 2 * 2^-23.
  Quantization input{{1.5}, {0}, -1}, output{{1.0}, {0}, -1};
  Quantization weights{{1 + std::exp2(-23)}, {0}, -1};
  auto exact = outputMultipliers(input, weights, output);
  auto rounded = outputMultipliers(input, weights, output, ScaleProduct::inFloat);
  REQUIRE(bool(exact));
  REQUIRE(bool(rounded));
  // Mantissas are the values times 2^30.
  CHECK((*exact)[0].mantissa == 3 * (1 << 29) + 3 * (1 << 6));
  CHECK((*rounded)[0].mantissa == 3 * (1 << 29) + (1 << 8));
}

TEST_CASE("activation ranges") {
  TensorDesc output;
  output.type = DType::s8;
  output.quant = {{0.05}, {-100}, -1};
  auto range = [&](Activation activation) {
    ClampRange r = quantizedClamp(activation, output);
    return std::pair(r.min, r.max);
  };
  CHECK(range(Activation::none) == std::pair(-128, 127));
  CHECK(range(Activation::relu) == std::pair(-100, 127));
  // 6 / 0.05 = 120 steps, 1 / 0.05 = 20 steps
  CHECK(range(Activation::relu6) == std::pair(-100, 20));
  CHECK(range(Activation::relu_n1_to_1) == std::pair(-120, -80));
  output.quant.scales = {1e-30}; // bounds beyond int32 saturate
  CHECK(range(Activation::relu6) == std::pair(-100, 127));
}

TEST_CASE("device requantisation is the model's") {
  Random random(5);
  for (int i = 0; i < 200000; ++i) {
    auto x = int32_t(random.in(INT32_MIN, INT32_MAX));
    x = random.oneIn(3) ? x >> random.in(0, 31) : x;
    x = random.oneIn(50) ? random.of({INT32_MIN, INT32_MAX, 0}) : x;
    double real = std::exp2(random.real(-33, 12));
    FixedMultiplier m = quantizeMultiplier(real);
    INFO(x << " * " << real);
    int64_t expected = modelRequantize(x, real);
    if (aotc_multiply(x, m.mantissa, m.shift) != expected)
      FAIL();
    if (m.shift <= 0 && aotc_multiply_right(x, m.mantissa, m.shift) != expected)
      FAIL();
  }
}

TEST_CASE("device rounding at its edges") {
  // Halves go away from zero.
  CHECK(aotc_rounding_shift_right(5, 1) == 3);   // 2.5
  CHECK(aotc_rounding_shift_right(-5, 1) == -3); // -2.5
  CHECK(aotc_rounding_shift_right(-6, 2) == -2); // -1.5
  CHECK(aotc_rounding_shift_right(-5, 2) == -1); // -1.25
  CHECK(aotc_rounding_shift_right(-7, 0) == -7);
  CHECK(aotc_rounding_shift_right(INT32_MAX, 31) == 1);  // just below 1
  CHECK(aotc_rounding_shift_right(INT32_MIN, 31) == -1); // -1
  CHECK(aotc_doubling_high_mul(INT32_MIN, INT32_MIN) == INT32_MAX);
  CHECK(aotc_doubling_high_mul(INT32_MIN, 1 << 30) == -(1 << 30));
  CHECK(aotc_saturating_shift_left(3, 30) == INT32_MAX);
  CHECK(aotc_saturating_shift_left(-3, 30) == INT32_MIN);
  CHECK(aotc_saturating_shift_left(-2, 30) == INT32_MIN); // exactly
  CHECK(aotc_saturating_shift_left(1, 30) == 1 << 30);
}

TEST_CASE("averages by a reciprocal, of every sum that fits 16 bits") {
  for (int32_t taps = 1; taps <= AOTC_SUM_TAPS; ++taps)
    for (int32_t sum = -128 * taps; sum <= 127 * taps; ++sum) {
      // Halves away from zero; divisions truncate.
      const int32_t average = (2 * sum + (sum < 0 ? -taps : taps)) / (2 * taps);
      if (aotc_average_of(sum, taps, aotc_reciprocal_of_taps(uint32_t(taps))) != average)
        FAIL(sum << " / " << taps);
    }
}
