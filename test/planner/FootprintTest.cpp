// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Heights and occupied bytes, worked out by hand.
#include "passes/planner/Footprint.h"

#include <catch2/catch.hpp>

using namespace aotc::planner;

TEST_CASE("footprints count common bytes once and sum regions") {
  // Step 0: [0, 10) and [8, 20) of a: 20 in use. Step 1: [8, 20) and [0, 5) of b:
  // 20 + 5 high, 12 + 5 in use. Step 2: [30, 40) of a. Step 3: nothing.
  std::vector<Placed> buffers = {
      {"a", 0, 10, 0, 0}, {"a", 8, 12, 0, 1}, {"b", 0, 5, 1, 1}, {"a", 30, 10, 2, 2}};
  std::vector<Footprint> found = footprints(buffers, 4);
  REQUIRE(found.size() == 4);
  CHECK((found[0].height == 20 && found[0].occupied == 20));
  CHECK((found[1].height == 25 && found[1].occupied == 17));
  CHECK((found[2].height == 40 && found[2].occupied == 10));
  CHECK((found[3].height == 0 && found[3].occupied == 0));
  CHECK(peakStep(found) == 2);
}

TEST_CASE("of equally high steps the fullest is the peak, then the first") {
  // [20, 30) lives throughout; [0, 5) and [0, 8) in turn.
  std::vector<Placed> buffers = {{"a", 20, 10, 0, 3}, {"a", 0, 5, 1, 1}, {"a", 0, 8, 2, 3}};
  CHECK(peakStep(footprints(buffers, 4)) == 2);
  CHECK(peakStep({}) == 0);
}

TEST_CASE("a buffer that holds another hides it") {
  std::vector<Footprint> found = footprints({{"a", 0, 100, 0, 0}, {"a", 10, 20, 0, 0}}, 1);
  CHECK((found[0].height == 100 && found[0].occupied == 100));
}
