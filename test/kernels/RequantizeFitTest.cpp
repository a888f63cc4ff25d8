// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fitted requantisation against fixed_point.h: steps over all accumulators of a
// range, fits over all accumulators around every step.
#include "Cases.h"

#include "targets/generic/RequantizeFit.h"
#include "targets/generic/kernels/fixed_point.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace aotc;
using namespace aotc::test;

static int32_t reference(int64_t acc, FixedMultiplier m, int32_t zero, ClampRange range) {
  return aotc_requantize_s8(uint32_t(acc), {m.mantissa, m.shift}, 1, zero, range.min, range.max);
}

static int32_t fitted(int64_t acc, AffineFit fit, AffineForm form) {
  const int64_t product = ((acc << form.left) * fit.mantissa) >> form.dropped;
  return int32_t(std::clamp<int64_t>((fit.round + product) >> form.up, -128, 127));
}

TEST_CASE("steps by hand") {
  // A multiplier of 1/4 is 2^30 * 2^-31, then a shift by 1: x / 2 with halves up,
  // then / 2 with halves away from zero.
  const FixedMultiplier quarter = quantizeMultiplier(0.25);
  auto steps = outputSteps(quarter, 0, {-128, 127}, -1000, 1000);
  REQUIRE(steps);
  CHECK(steps->at[128 + 1] == 1);     // 1 -> 0.5 -> 1 -> 0.5 -> 1
  CHECK(steps->at[128 + 0] == -1);    // -1 -> 0; -2 -> -1 -> -0.5 -> -1
  CHECK(steps->at[128 - 1] == -5);    // -5 -> -2.5 -> -2 -> -1; -6 -> -3 -> -2
  CHECK(steps->at[128 + 127] == 505); // 505 -> 253 -> 127; 504 -> 252 -> 126
  CHECK(steps->at[128 - 128] == -1000);
  CHECK(!steps->constant());

  // Only 3 and 4 can occur: both give 2, then 1.
  steps = outputSteps(quarter, 0, {-128, 127}, 3, 4);
  REQUIRE(steps);
  CHECK(steps->constant());
  CHECK(steps->constantValue() == 1);
  CHECK(steps->at[128 + 2] == 5); // none: behind the last

  // Beyond 32 bits the reference saturates and wraps: nothing is said.
  CHECK(!outputSteps(quantizeMultiplier(1024), 0, {-128, 127}, -(1 << 22), 1 << 22));
}

TEST_CASE("steps over all accumulators") {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const FixedMultiplier m = quantizeMultiplier(std::exp2(random.real(-12, 3)));
    const auto zero = int32_t(random.in(-128, 127));
    ClampRange range = {-128, 127};
    if (random.oneIn(3))
      range = {int32_t(random.in(-128, 0)), int32_t(random.in(0, 127))};
    const int64_t first = random.in(-20000, 0), last = first + random.in(0, 20000);
    auto steps = outputSteps(m, zero, range, first, last);
    REQUIRE(steps);
    int64_t acc = first;
    for (int32_t k = -128; k <= 127; ++k) {
      while (acc <= last && reference(acc, m, zero, range) < k)
        ++acc;
      if (steps->at[k + 128] != acc)
        FAIL("case " << i << ": step " << k << " is at " << steps->at[k + 128] << ", not " << acc);
    }
  }
}

/// A multiplier, and the steps over some accumulators around 0.
struct RandomSteps {
  FixedMultiplier multiplier;
  bool relu;
  int32_t zero;
  ClampRange range;
  OutputSteps steps;
};
static RandomSteps randomSteps(Random &random) {
  RandomSteps r;
  r.multiplier = quantizeMultiplier(std::exp2(random.real(-16, -3)));
  r.relu = random.oneIn(2);
  r.zero = r.relu ? -128 : int32_t(random.in(-128, 127));
  r.range = {-128, random.oneIn(8) ? int32_t(random.in(0, 126)) : 127};
  const int64_t reach = int64_t(std::exp2(random.real(8, 22)));
  auto steps =
      outputSteps(r.multiplier, r.zero, r.range, -random.in(0, reach), random.in(0, reach));
  REQUIRE(steps);
  r.steps = *steps;
  return r;
}

/// output(acc) is the reference's around all steps, at some accumulators between
/// them, and at the ends.
template <typename Output>
static void checkOutputs(const RandomSteps &r, Random &random, Output output) {
  auto check = [&](int64_t acc) {
    if (acc >= r.steps.first && acc <= r.steps.last &&
        output(acc) != reference(acc, r.multiplier, r.zero, r.range))
      FAIL("accumulator " << acc);
  };
  for (int64_t at : r.steps.at)
    for (int64_t acc = at - 3; acc <= at + 3; ++acc)
      check(acc);
  for (int k = 0; k < 100; ++k)
    check(random.in(r.steps.first, r.steps.last));
  check(r.steps.first);
  check(r.steps.last);
}

TEST_CASE("fits give the reference's output") {
  Random random(5);
  int fits = 0, relu = 0;
  for (int i = 0; i < 4000; ++i) {
    INFO("case " << i);
    const RandomSteps r = randomSteps(random);
    const AffineForm form = {8, 32, int32_t(random.in(8, 14)), 31};
    auto fit = fitAffine(r.steps, r.multiplier, form);
    relu += r.relu;
    if (!fit)
      continue;
    fits += r.relu;
    checkOutputs(r, random, [&](int64_t acc) { return fitted(acc, *fit, form); });
  }
  // The shift is drawn blindly: for most multipliers one of the seven is wrong.
  INFO(fits << " of " << relu);
  CHECK(fits * 4 >= relu);
}

TEST_CASE("fits with a finer bias give the reference's output") {
  Random random(6);
  int fits = 0, relu = 0;
  for (int i = 0; i < 4000; ++i) {
    INFO("case " << i);
    const RandomSteps r = randomSteps(random);
    const ScaledForm form = {int(random.in(4, 14)), 16, r.zero};
    auto fit = fitScaled(r.steps, r.multiplier, form);
    relu += r.relu;
    if (!fit)
      continue;
    fits += r.relu;
    checkOutputs(r, random, [&](int64_t acc) {
      const int64_t sum = acc * (int64_t(1) << form.scale) + fit->bias;
      REQUIRE(sum == int32_t(sum)); // as the device adds it
      const int64_t high = (2 * sum * fit->mantissa + (int64_t(1) << 31)) >> 32;
      const int64_t half = int64_t(1) << (form.up - 1);
      const int64_t out = (high + int64_t(form.zeroPoint) * 2 * half + half) >> form.up;
      return int32_t(std::clamp<int64_t>(out, -128, 127));
    });
  }
  // Too coarse, or beyond 32 bits, is a good part of the scales.
  INFO(fits << " of " << relu);
  CHECK(fits * 4 >= relu);
}

TEST_CASE("a layer without ReLU has no fit") {
  // Halves away from zero: the negative side is offset by a unit.
  auto steps = outputSteps(quantizeMultiplier(std::exp2(-7)), 0, {-128, 127}, -30000, 30000);
  REQUIRE(steps);
  for (int up = 6; up < 16; ++up)
    CHECK(!fitAffine(*steps, quantizeMultiplier(std::exp2(-7)), {8, 32, up, 31}));
}
