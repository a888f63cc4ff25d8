// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The harness's soft-float and integer helpers against this machine's FPU and
// its integer unit, over edge patterns (all pairs) and random ones.
#include <catch2/catch.hpp>

extern "C" {
#include "compiler/run/harness/int64.h"
#include "compiler/run/harness/softfloat.h"
}

#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace {

float f(uint32_t bits) { return std::bit_cast<float>(bits); }

// Equal bits; of NaNs only that they are quiet ones.
bool same(uint32_t got, float expected) {
  if (std::isnan(expected))
    return (got & 0x7fc00000) == 0x7fc00000;
  return got == std::bit_cast<uint32_t>(expected);
}

// Zero, subnormals, the smallest and largest normals, one and its neighbours,
// powers around the rounding width, infinity, NaNs; integers' limits.
std::vector<uint32_t> edges() {
  std::vector<uint32_t> result;
  for (uint32_t bits :
       {0x00000000u, 0x00000001u, 0x00000002u, 0x00000003u, 0x003fffffu, 0x00400000u, 0x00400001u,
        0x007fffffu, 0x00800000u, 0x00800001u, 0x00ffffffu, 0x01000000u, 0x0b800000u, 0x33800000u,
        0x33800001u, 0x34000000u, 0x3effffffu, 0x3f000000u, 0x3f000001u, 0x3f7fffffu, 0x3f800000u,
        0x3f800001u, 0x3fc00000u, 0x40000000u, 0x40400000u, 0x4b000000u, 0x4b7fffffu, 0x4b800000u,
        0x4b800001u, 0x4effffffu, 0x4f000000u, 0x4f7fffffu, 0x4f800000u, 0x5effffffu, 0x5f000000u,
        0x5f7fffffu, 0x5f800000u, 0x73800000u, 0x7effffffu, 0x7f000000u, 0x7f7ffffeu, 0x7f7fffffu,
        0x7f800000u, 0x7f800001u, 0x7fc00000u, 0x7fffffffu}) {
    result.push_back(bits);
    result.push_back(bits | 0x80000000u);
  }
  return result;
}

// Counts instead of CHECKs, which would take minutes.
int64_t wrongPairs(uint32_t a, uint32_t b) {
  volatile float x = f(a), y = f(b); // no constant folding, no reordering
  int64_t wrong = 0;
  wrong += !same(sim_f32_add(a, b), x + y);
  wrong += !same(sim_f32_sub(a, b), x - y);
  wrong += !same(sim_f32_rsub(a, b), y - x);
  wrong += !same(sim_f32_mul(a, b), x * y);
  wrong += !same(sim_f32_div(a, b), x / y);
  wrong += sim_f32_eq(a, b) != (x == y);
  wrong += sim_f32_lt(a, b) != (x < y);
  wrong += sim_f32_le(a, b) != (x <= y);
  wrong += sim_f32_gt(a, b) != (x > y);
  wrong += sim_f32_ge(a, b) != (x >= y);
  wrong += sim_f32_un(a, b) != (std::isnan(x) || std::isnan(y));
  return wrong;
}

// Conversions out of range are undefined in C: the expected value is spelled
// out (saturation, NaN to 0).
template <typename Int> Int convert(float x) {
  if (std::isnan(x))
    return 0;
  // Both limits as powers of two, exact in float: [min, -min) or [0, 2^n).
  float high = std::ldexp(1.0f, std::numeric_limits<Int>::digits);
  if (x >= high)
    return std::numeric_limits<Int>::max();
  if (x <= float(std::numeric_limits<Int>::min()))
    return std::numeric_limits<Int>::min();
  return Int(x);
}

int64_t wrongConversions(uint32_t a) {
  volatile float x = f(a);
  int64_t wrong = 0;
  wrong += sim_f32_to_s32(a) != convert<int32_t>(x);
  wrong += sim_f32_to_u32(a) != convert<uint32_t>(x);
  wrong += sim_f32_to_s64(a) != convert<int64_t>(x);
  wrong += sim_f32_to_u64(a) != convert<uint64_t>(x);
  wrong += !same(sim_s32_to_f32(int32_t(a)), float(int32_t(a)));
  wrong += !same(sim_u32_to_f32(a), float(a));
  return wrong;
}

int64_t wrong64(uint64_t a, uint64_t b) {
  int64_t wrong = 0;
  wrong += !same(sim_s64_to_f32(int64_t(a)), float(int64_t(a)));
  wrong += !same(sim_u64_to_f32(a), float(a));
  wrong += sim_mul64(a, b) != a * b;
  int by = int(b & 63);
  wrong += sim_shl64(a, by) != a << by;
  wrong += sim_lshr64(a, by) != a >> by;
  wrong += sim_ashr64(int64_t(a), by) != int64_t(a) >> by;
  uint64_t remainder;
  if (b) {
    wrong += sim_udivmod64(a, b, &remainder) != a / b || remainder != a % b;
    // The one quotient that does not fit.
    if (!(int64_t(a) == INT64_MIN && int64_t(b) == -1)) {
      int64_t r;
      wrong += sim_sdivmod64(int64_t(a), int64_t(b), &r) != int64_t(a) / int64_t(b) ||
               r != int64_t(a) % int64_t(b);
    }
  }
  uint32_t a32 = uint32_t(a), b32 = uint32_t(b);
  if (b32) {
    wrong += sim_udivmod32(a32, b32) != (uint64_t(a32 % b32) << 32 | a32 / b32);
    int32_t s = int32_t(a32), t = int32_t(b32);
    if (!(s == INT32_MIN && t == -1))
      wrong += sim_sdivmod32(s, t) != (uint64_t(uint32_t(s % t)) << 32 | uint32_t(s / t));
  }
  return wrong;
}

} // namespace

TEST_CASE("soft-float: all pairs of edge patterns") {
  int64_t wrong = 0;
  for (uint32_t a : edges()) {
    wrong += wrongConversions(a);
    for (uint32_t b : edges())
      wrong += wrongPairs(a, b);
  }
  CHECK(wrong == 0);
}

TEST_CASE("soft-float: random patterns") {
  std::mt19937 random(1);
  int64_t wrong = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    uint32_t a = random(), b = random();
    wrong += wrongPairs(a, b);
    // Near exponents, where addition cancels and rounds.
    wrong += wrongPairs(a, (b & 0x807fffff) | ((a + (b & 0x0f800000) - 0x04000000) & 0x7f800000));
    wrong += wrongConversions(a);
    // Exponents around those of integers.
    wrong += wrongConversions((a & 0x807fffff) | (120 + (b % 72)) << 23);
  }
  CHECK(wrong == 0);
}

TEST_CASE("soft-float: results in the subnormal range") {
  std::mt19937 random(2);
  int64_t wrong = 0;
  for (int i = 0; i < 300'000; ++i) {
    // Products and quotients with exponents about -126.
    uint32_t a = (random() & 0x807fffff) | (30 + random() % 40) << 23;
    uint32_t b = (random() & 0x807fffff) | (60 + random() % 40) << 23;
    wrong += wrongPairs(a, b);
    wrong += wrongPairs(a & 0x80ffffff, b | 0x3f000000);
    wrong += wrongPairs(a & 0x807fffff, random() & 0x80ffffff);
  }
  CHECK(wrong == 0);
}

TEST_CASE("64-bit helpers: edge and random values") {
  std::vector<uint64_t> values = {0,
                                  1,
                                  2,
                                  3,
                                  7,
                                  10,
                                  0xffff,
                                  0x10000,
                                  0x7fffffff,
                                  0x80000000,
                                  0xffffffff,
                                  0x100000000,
                                  0x100000001,
                                  0x7fffffffffffffff,
                                  0x8000000000000000,
                                  0x8000000000000001,
                                  0xfffffffffffffffe,
                                  0xffffffffffffffff,
                                  0x0000018000000000,
                                  0x00ffffff80000000};
  std::mt19937_64 random(3);
  int64_t wrong = 0;
  for (uint64_t a : values)
    for (uint64_t b : values)
      wrong += wrong64(a, b);
  for (int i = 0; i < 300'000; ++i)
    wrong += wrong64(random() >> (random() & 63), random() >> (random() & 63));
  CHECK(wrong == 0);
  uint64_t remainder;
  CHECK(sim_udivmod64(5, 0, &remainder) == 0);
  CHECK(remainder == 5);
}
