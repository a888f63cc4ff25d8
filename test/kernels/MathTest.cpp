// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels' float functions, over sweeps, against the host's in double.
#include "targets/generic/kernels/math.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cmath>

/// The distance of `got` from `exact` in units of the last place of a float.
static double ulps(float got, double exact) {
  int exponent = std::max(std::ilogb(exact), -126);
  return std::abs(double(got) - exact) / std::ldexp(1.0, exponent - 23);
}

TEST_CASE("exp is within 2 ulp") {
  double worst = 0;
  float at = 0;
  // Every 1009th float from -104 to -2^-30 and from 2^-30 to 88.7.
  for (uint32_t sign : {0u, 0x80000000u})
    for (uint32_t bits = 0x30800000; bits < 0x42d00000; bits += 1009) {
      float x = std::bit_cast<float>(sign | bits);
      if (x > 88.7f)
        continue;
      double error = ulps(aotc_expf(x), std::exp(double(x)));
      if (error > worst)
        worst = error, at = x;
    }
  INFO("worst: " << worst << " ulp at " << at);
  CHECK(worst <= 2);
  CHECK(worst > 0.4); // half an ulp is reached: the comparison works
}

TEST_CASE("exp of special values") {
  CHECK(aotc_expf(0.0f) == 1);
  CHECK(aotc_expf(-0.0f) == 1);
  CHECK(aotc_expf(88.73f) == HUGE_VALF); // ln(2^128) = 88.7228
  CHECK(aotc_expf(HUGE_VALF) == HUGE_VALF);
  CHECK(aotc_expf(-HUGE_VALF) == 0);
  CHECK(aotc_expf(-104.0f) == 0);         // ln(2^-150) = -103.97
  CHECK(aotc_expf(-103.5f) == 0x1p-149f); // ln(2^-149) = -103.28
  CHECK(std::isnan(aotc_expf(std::nanf(""))));
}

TEST_CASE("rounding to integers saturates") {
  CHECK(aotc_round_saturate(2.5f) == 3);
  CHECK(aotc_round_saturate(-2.5f) == -3);
  CHECK(aotc_round_saturate(0.49999997f) == 0);
  CHECK(aotc_round_saturate(8388607.5f) == 8388608);
  CHECK(aotc_round_saturate(1e30f) == 8388608);
  CHECK(aotc_round_saturate(-HUGE_VALF) == -8388608);
  CHECK(aotc_round_saturate(std::nanf("")) == -8388608);
}
