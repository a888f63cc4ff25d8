// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner against brute force, and the validator against corrupted plans.
#include "passes/planner/Planner.h"
#include "passes/planner/Validator.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

using namespace aotc::planner;

static Buffer buffer(int64_t size, int64_t first, int64_t last, int64_t align = 1) {
  Buffer b;
  b.name = std::to_string(size) + "@" + std::to_string(first);
  b.size = size;
  b.align = align;
  b.life = {first, last};
  return b;
}

/// Solves, and demands a valid problem and plan.
static Plan solved(const Problem &problem, const PlannerOptions &options = {}) {
  REQUIRE(checkProblem(problem) == std::vector<std::string>{});
  Plan plan = solve(problem, options);
  CHECK(checkPlan(problem, plan) == std::vector<std::string>{});
  return plan;
}

/// The least height, by trying every offset of every buffer. Definition of
/// legality written apart from the planner's and the validator's.
static int64_t bruteForce(const Problem &problem, int64_t limit) {
  size_t n = problem.buffers.size();
  std::vector<int64_t> at(n);
  auto legal = [&]() {
    // Per output the input it shares with, per step the ways still possible.
    std::vector<int> sharesWith(n, -1);
    std::vector<int> waysAtStep(64, 3);
    for (size_t a = 0; a < n; ++a)
      for (size_t b = a + 1; b < n; ++b) {
        const Buffer &p = problem.buffers[a], &q = problem.buffers[b];
        bool apart = p.life.last < q.life.first || q.life.last < p.life.first ||
                     at[a] + p.size <= at[b] || at[b] + q.size <= at[a];
        for (const MustAlias &m : problem.mustAlias)
          apart |= m.a == int(a) && m.b == int(b);
        if (apart)
          continue;
        int ways = 0; // of all alternatives
        const MayOverlap *used = nullptr;
        for (const MayOverlap &m : problem.mayOverlap)
          if ((m.input == int(a) && m.output == int(b)) ||
              (m.input == int(b) && m.output == int(a))) {
            int64_t x = at[m.input] - at[m.output];
            if (m.multiple ? (x - m.phase) % m.multiple == 0 : x == m.phase) {
              ways |= (m.ascending && x >= *m.ascending ? 1 : 0) |
                      (m.descending && -x >= *m.descending ? 2 : 0);
              used = &m;
            }
          }
        if (!used || !ways || sharesWith[used->output] != -1)
          return false;
        sharesWith[used->output] = used->input;
        int &left = waysAtStep[problem.buffers[used->input].life.last];
        if (!(left &= ways))
          return false;
      }
    for (const MustAlias &m : problem.mustAlias)
      if (at[m.b] != at[m.a] + m.delta)
        return false;
    return true;
  };
  int64_t best = limit + 1;
  std::function<void(size_t, int64_t)> place = [&](size_t i, int64_t height) {
    if (height >= best)
      return;
    if (i == n) {
      if (legal())
        best = height;
      return;
    }
    const Buffer &b = problem.buffers[i];
    for (int64_t offset = 0; offset + b.size <= limit; offset += b.align) {
      if (b.fixedOffset && offset != *b.fixedOffset)
        continue;
      at[i] = offset;
      place(i + 1, std::max(height, offset + b.size));
    }
  };
  place(0, 0);
  return best;
}

/// Small random problems; `with` turns further features on.
struct Features {
  bool align = false, overlap = false, fixed = false, alternatives = false, alias = false;
};
static Problem randomProblem(std::mt19937 &random, Features with, int most = 5) {
  auto upTo = [&](int64_t n) { return static_cast<int64_t>(random() % (n + 1)); };
  Problem problem;
  int count = 2 + static_cast<int>(upTo(most - 2));
  for (int i = 0; i < count; ++i) {
    int64_t first = upTo(4);
    problem.buffers.push_back(
        buffer(1 + upTo(most - 1), first, first + upTo(2), with.align ? int64_t(1) << upTo(2) : 1));
  }
  if (with.overlap)
    for (int i = 0; i < count; ++i)
      for (int o = 0; o < count; ++o) {
        if (i == o || problem.buffers[i].life.last != problem.buffers[o].life.first || upTo(1))
          continue;
        // A buffer that is born and dies at one step could be both.
        bool both = std::any_of(problem.mayOverlap.begin(), problem.mayOverlap.end(),
                                [&](const MayOverlap &m) { return m.input == o && m.output == i; });
        if (both)
          continue;
        MayOverlap may;
        may.input = i;
        may.output = o;
        if (upTo(2))
          may.ascending = upTo(3) - (upTo(4) == 0);
        if (upTo(2))
          may.descending = upTo(3) - 1;
        may.multiple = 1 + (upTo(3) == 0);
        problem.mayOverlap.push_back(may);
        for (int64_t more = with.alternatives ? upTo(2) : 0; more > 0; --more) {
          if (upTo(1))
            may.ascending = upTo(3) - 1;
          if (upTo(1))
            may.descending = upTo(3) - 1;
          may.multiple = upTo(3); // 0: exactly at the phase
          may.phase = upTo(4) - 2;
          problem.mayOverlap.push_back(may);
        }
      }
  if (with.alias) {
    // Of one life, so that their hull has no free byte.
    problem.buffers[1].life = problem.buffers[0].life;
    int64_t a = problem.buffers[0].size, b = problem.buffers[1].size;
    problem.mustAlias.push_back({0, 1, upTo(a + b) - b});
  }
  if (with.fixed)
    problem.buffers[0].fixedOffset = upTo(2) * problem.buffers[0].align;
  return problem;
}

TEST_CASE("against brute force") {
  std::mt19937 random(1); // the generator's output is specified by the standard
  int proved = 0, runs = 0, best = 0;
  for (Features with : {Features{}, Features{true, false, false}, Features{false, true, false},
                        Features{true, true, true}, Features{true, true, true, true},
                        Features{false, false, true, false, true}})
    for (int i = 0; i < 500; ++i) {
      Problem problem = randomProblem(random, with);
      int64_t least = bruteForce(problem, 16);
      if (least > 16)
        continue;
      Plan plan = solved(problem);
      INFO("run " << i << ", features " << with.align << with.overlap << with.fixed
                  << with.alternatives << with.alias);
      CHECK(plan.heights[0] == least);
      CHECK(plan.bound <= least);
      CHECK(lowerBound(problem) <= least);
      if (plan.optimal)
        CHECK(plan.heights[0] == least);
      ++runs;
      proved += plan.optimal;
      best += plan.heights[0] == least;
    }
  // Tiny problems: nearly all must be solved, and most of them with proof.
  CHECK(runs > 2800);
  CHECK(best >= runs * 99 / 100);
  CHECK(proved >= runs * 9 / 10);
}

TEST_CASE("a chain reaches the largest neighbours") {
  Problem problem; // 8+6, 6+4, 4+10: 14
  problem.buffers = {buffer(8, 0, 1), buffer(6, 1, 2), buffer(4, 2, 3), buffer(10, 3, 4)};
  Plan plan = solved(problem);
  CHECK(plan.heights[0] == 14);
  CHECK(plan.optimal);
}

TEST_CASE("alignment is of offsets; sizes are not rounded") {
  Problem problem; // 16 + 5: the small one above
  problem.buffers = {buffer(5, 0, 1, 16), buffer(5, 1, 2, 16)};
  Plan plan = solved(problem);
  CHECK(plan.heights[0] == 21);
  // The bound of live bytes is 10; the rest needs the exhausted search.
  CHECK(plan.optimal);
}

TEST_CASE("rules of one pair are alternatives") {
  // 10 bytes die where 10 are born.
  Problem problem;
  problem.buffers = {buffer(10, 0, 1), buffer(10, 1, 2)};
  auto least = [&](std::vector<MayOverlap> rules) {
    problem.mayOverlap = std::move(rules);
    Plan plan = solved(problem);
    CHECK(plan.optimal);
    return plan.heights[0];
  };
  // 6 apart, or 4, or 8; 10 and beyond are disjoint.
  CHECK(least({{0, 1, 6, {}, 1, 0}}) == 16);
  CHECK(least({{0, 1, 6, {}, 1, 0}, {0, 1, 3, {}, 4, 0}}) == 14);
  CHECK(least({{0, 1, 3, {}, 4, 0}, {0, 1, 6, {}, 1, 0}}) == 14);
  // Exactly 5, up or down; an exact distance below what is allowed is none.
  CHECK(least({{0, 1, 0, {}, 0, 5}}) == 15);
  CHECK(least({{0, 1, {}, 0, 0, -5}}) == 15);
  CHECK(least({{0, 1, 6, {}, 0, 5}}) == 20);
  // 1 more than a multiple of 4, from 2 on: 5.
  CHECK(least({{0, 1, 2, {}, 4, 1}}) == 15);
  // The same over whole bytes of a third that lies in the way: it is 3 long and
  // stays at 0, so 0 starts at 3 or above.
  problem.buffers.push_back(buffer(3, 0, 2));
  problem.buffers[2].fixedOffset = 0;
  CHECK(least({{0, 1, 3, {}, 4, 0}}) == 17);
  // Both must be at multiples of 2 when apart by an odd distance.
  problem.buffers[0].align = problem.buffers[1].align = 2;
  CHECK(least({{0, 1, 0, {}, 0, 3}, {0, 1, 6, {}, 1, 0}}) == 20);
}

TEST_CASE("gaps between allowed distances are searched, not guessed") {
  // a dies where b is born, b where c is born; a and c are apart in time. With
  // exact distances 4 and 7 of 10 bytes, b stands 4 below a, c 7 below b or the
  // other way up: 10 + 4, and c over b reaches no higher only if it goes below.
  Problem problem;
  problem.buffers = {buffer(10, 0, 1), buffer(10, 1, 2), buffer(10, 2, 3)};
  problem.mayOverlap = {{0, 1, 0, 0, 0, 4}, {1, 2, 0, 0, 0, -7}};
  Plan plan = solved(problem); // b at 0, a at 4, c at 7
  CHECK(plan.heights[0] == 17);
  CHECK(plan.optimal);
  problem.mayOverlap[1].phase = 7; // b at 7, a at 11, c at 0
  plan = solved(problem);
  CHECK(plan.heights[0] == 20); // apart is better than 21
  CHECK(plan.optimal == (bruteForce(problem, 24) == plan.bound));
}

TEST_CASE("the bound counts in blocks of the alignment") {
  // 5, 6 and 7 at multiples of 4: 8 bytes each, of the last at most 3 are free.
  Problem problem;
  problem.buffers = {buffer(5, 0, 0, 4), buffer(6, 0, 0, 4), buffer(7, 0, 0, 8)};
  CHECK(lowerBound(problem) == 21);
  CHECK(solved(problem).optimal);
  // 5 below 7, at least 3 apart, so 4: one byte is shared.
  problem.buffers = {buffer(7, 0, 1, 4), buffer(5, 1, 2, 4)};
  problem.mayOverlap = {{0, 1, 3, {}}};
  CHECK(lowerBound(problem) == 11);
  problem.buffers.push_back(buffer(1, 1, 1)); // no alignment, no blocks
  CHECK(lowerBound(problem) == 11);           // 7 + 5 + 1, 3 apart: 2 are shared
}

TEST_CASE("overlap in either direction") {
  Problem problem;
  problem.buffers = {buffer(10, 0, 1), buffer(4, 1, 2)};
  problem.mayOverlap = {{0, 1, 2, {}, 1}};
  SECTION("ascending: 2 bytes below the input, the rest inside it") {
    Plan plan = solved(problem);
    CHECK(plan.heights[0] == 12);
    CHECK(plan.overlaps[0] == Overlap::ascending);
  }
  SECTION("descending at a distance of 6: the output ends with the input") {
    problem.mayOverlap = {{0, 1, {}, 6, 1}};
    Plan plan = solved(problem);
    CHECK(plan.heights[0] == 10);
    CHECK(plan.overlaps[0] == Overlap::descending);
  }
  SECTION("a larger output over a small input: negative distance") {
    problem.buffers = {buffer(4, 0, 1), buffer(10, 1, 2)};
    problem.mayOverlap = {{0, 1, {}, -6, 1}};
    CHECK(solved(problem).heights[0] == 10);
  }
  SECTION("only at multiples: 2 is none of 3, 3 is") {
    problem.mayOverlap = {{0, 1, 2, {}, 3}};
    CHECK(solved(problem).heights[0] == 13);
  }
  SECTION("not at all") {
    problem.mayOverlap = {{0, 1, {}, {}, 1}};
    Plan plan = solved(problem);
    CHECK(plan.heights[0] == 14);
    CHECK(plan.overlaps[0] == Overlap::none);
  }
}

TEST_CASE("an output shares with one input only") {
  Problem problem; // 4 + 4 + 8, less 4
  problem.buffers = {buffer(4, 0, 1), buffer(4, 0, 1), buffer(8, 1, 2)};
  problem.mayOverlap = {{0, 2, 0, 4, 1}, {1, 2, 0, 4, 1}};
  CHECK(lowerBound(problem) == 12);
  CHECK(solved(problem).heights[0] == 12);
}

TEST_CASE("one step runs one way") {
  Problem problem; // two pairs of 4; each could halve, but in opposite ways
  problem.buffers = {buffer(4, 0, 1), buffer(4, 1, 2), buffer(4, 0, 1), buffer(4, 1, 2)};
  problem.mayOverlap = {{0, 1, 0, {}, 1}, {2, 3, {}, 0, 1}};
  Plan plan = solved(problem);
  CHECK(plan.heights[0] == 12);
}

TEST_CASE("must-alias beyond each other: the hull") {
  // b starts 6 into a and ends 4 after it: 14 together. c lives with both.
  Problem problem;
  problem.buffers = {buffer(10, 0, 1), buffer(8, 0, 1), buffer(5, 1, 1)};
  problem.mustAlias = {{0, 1, 6}};
  Plan plan = solved(problem);
  CHECK(plan.heights[0] == 19);
  CHECK(plan.optimal);
  CHECK(plan.placements[1].offset - plan.placements[0].offset == 6);
  problem.mustAlias = {{0, 1, -3}}; // 3 below: 13 together
  plan = solved(problem);
  CHECK(plan.heights[0] == 18);
  CHECK(plan.optimal);
  // The part that only b has is live with b alone: c may take its place before.
  problem.buffers[1].life = {2, 2};
  plan = solved(problem);
  CHECK(plan.heights[0] >= 15);
  CHECK((!plan.optimal || plan.heights[0] == 15));
  // Alignments that cannot both be kept.
  problem.buffers[0].align = problem.buffers[1].align = 4;
  CHECK(checkProblem(problem).size() == 1);
}

TEST_CASE("must-alias moves together") {
  Problem problem;
  problem.buffers = {buffer(10, 0, 2), buffer(4, 0, 2, 4), buffer(6, 1, 2)};
  problem.mustAlias = {{0, 1, 6}}; // 6 into it, aligned to 4: the outer at 2
  Plan plan = solved(problem);
  CHECK(plan.placements[1].offset == plan.placements[0].offset + 6);
  CHECK(plan.placements[1].offset % 4 == 0);
  CHECK(plan.heights[0] == 16); // 6 below would need the outer at 6; so 10 at 6 or 2
}

TEST_CASE("fixed offsets stay") {
  Problem problem;
  problem.buffers = {buffer(4, 0, 2), buffer(3, 0, 2)};
  problem.buffers[0].fixedOffset = 2; // 2 below it is too little for 3
  Plan plan = solved(problem);
  CHECK(plan.placements[0].offset == 2);
  CHECK(plan.heights[0] == 9);
}

TEST_CASE("regions: cheap first, as far as it reaches") {
  Problem problem;
  problem.regions = {{"slow", {}, 2}, {"fast", 10, 1}};
  problem.buffers = {buffer(8, 0, 2), buffer(6, 0, 2), buffer(2, 0, 2)};
  problem.buffers[2].regions = {0};
  Plan plan = solved(problem);
  CHECK(plan.placements[2].region == 0);
  CHECK(plan.heights[1] <= 10);
  CHECK(plan.heights[0] + plan.heights[1] == 16);
}

TEST_CASE("a capacity that is too small is reported, never overlapped") {
  Problem problem;
  problem.regions[0].capacity = 15;
  problem.buffers = {buffer(8, 0, 2), buffer(8, 0, 2)};
  auto errors = checkPlan(problem, solve(problem));
  REQUIRE(errors.size() == 1);
  CHECK(errors[0] == "arena needs 16 bytes but has 15");
}

TEST_CASE("what does not fit is named") {
  Problem problem; // steps 1 and 2 hold 8 + 6 = 14 and 6 + 9 = 15 bytes
  problem.buffers = {buffer(8, 0, 1), buffer(6, 1, 2), buffer(9, 2, 3)};
  problem.regions[0].capacity = 12;
  Plan plan = solve(problem);
  CHECK_FALSE(plan.feasible);
  REQUIRE(plan.shortages.size() == 1);
  CHECK(plan.shortages[0].region == 0);
  CHECK(plan.shortages[0].missing == 3);
  CHECK(plan.shortages[0].step == 2);
  CHECK(plan.bound > 12); // no plan exists
  problem.regions[0].capacity = 15;
  CHECK(solved(problem).feasible);
}

TEST_CASE("an assignment that greedy filling misses") {
  // Largest first into the first region: 6 + 4 | 5 + 5 fits, 6 + 5 does not;
  // beside them a 3 + 2 + 2 that must share the rest of 10 + 10 + 7.
  Problem problem;
  problem.regions = {{"a", 10, 0}, {"b", 10, 0}, {"c", 7, 0}};
  for (int64_t size : {6, 5, 5, 4, 3, 2, 2})
    problem.buffers.push_back(buffer(size, 0, 1));
  Plan plan = solved(problem);
  CHECK(plan.feasible);
  CHECK(plan.heights == std::vector<int64_t>{10, 10, 7});
  CHECK(plan.optimal);
}

TEST_CASE("the cheaper region takes the most bytes it can") {
  // 7 + 2 in 9 bytes, not 8: one byte stays outside, instead of 2.
  Problem problem;
  problem.regions = {{"fast", 9, 0}, {"slow", {}, 5}};
  problem.buffers = {buffer(8, 0, 1), buffer(7, 0, 1), buffer(2, 0, 1)};
  Plan plan = solved(problem);
  CHECK(plan.heights == std::vector<int64_t>{9, 8});
  CHECK(plan.placements[0].region == 1);
}

TEST_CASE("a pair that shares bytes stays in one region") {
  // 10 and 10 in place, 4 beside them: 10 + 4 in two regions of 10.
  Problem problem;
  problem.regions = {{"a", 10, 0}, {"b", 10, 1}};
  problem.buffers = {buffer(10, 0, 1), buffer(10, 1, 2), buffer(4, 0, 2)};
  problem.mayOverlap = {{0, 1, 0, 0, 1}};
  Plan plan = solved(problem);
  CHECK(plan.feasible);
  CHECK(plan.heights == std::vector<int64_t>{10, 4});
}

TEST_CASE("regions of several sizes against all assignments") {
  std::mt19937 random(3);
  int fit = 0, runs = 0;
  for (int run = 0; run < 60; ++run) {
    Problem problem = randomProblem(random, {});
    problem.regions = {{"a", 4 + static_cast<int64_t>(random() % 3), 0},
                       {"b", 3 + static_cast<int64_t>(random() % 3), 1}};
    // Least cost over all assignments, each region by brute force.
    size_t count = problem.buffers.size();
    std::optional<int64_t> leastCost;
    for (unsigned mask = 0; mask < (1u << count); ++mask) {
      int64_t cost = 0;
      bool fits = true;
      for (int region : {0, 1}) {
        Problem part;
        for (size_t b = 0; b < count; ++b)
          if (((mask >> b) & 1) == static_cast<unsigned>(region)) {
            part.buffers.push_back(problem.buffers[b]);
            cost += region * problem.buffers[b].size;
          }
        fits = fits && bruteForce(part, *problem.regions[region].capacity) <=
                           *problem.regions[region].capacity;
      }
      if (fits && (!leastCost || cost < *leastCost))
        leastCost = cost;
    }
    Plan plan = solve(problem);
    INFO("run " << run);
    CHECK(plan.feasible == leastCost.has_value());
    if (leastCost) {
      CHECK(checkPlan(problem, plan) == std::vector<std::string>{});
      int64_t cost = 0;
      for (size_t b = 0; b < count; ++b)
        cost += plan.placements[b].region * problem.buffers[b].size;
      CHECK(cost == *leastCost);
    }
    fit += leastCost.has_value();
    ++runs;
  }
  CHECK(fit > 10); // both outcomes are met
  CHECK(fit < runs - 5);
}

TEST_CASE("a saved plan is taken as it is") {
  Problem problem;
  problem.buffers = {buffer(10, 0, 1), buffer(4, 1, 2)};
  problem.mayOverlap = {{0, 1, 2, {}, 1}};
  // The output 2 below the input: ascending, 12 bytes.
  Plan plan = planOf(problem, {{0, 2}, {0, 0}});
  CHECK(checkPlan(problem, plan) == std::vector<std::string>{});
  CHECK(plan.heights[0] == 12);
  CHECK(plan.overlaps[0] == Overlap::ascending);
  CHECK_FALSE(checkPlan(problem, planOf(problem, {{0, 1}, {0, 0}})).empty()); // 1 is too near
  CHECK_FALSE(checkPlan(problem, planOf(problem, {{0, -2}, {0, 20}})).empty());
}

TEST_CASE("nothing to plan") {
  Plan plan = solved(Problem{});
  CHECK(plan.heights[0] == 0);
  CHECK(plan.optimal);
}

TEST_CASE("metamorphic") {
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) {
    Problem problem = randomProblem(random, {false, i % 2 == 0, false});
    for (MayOverlap &may : problem.mayOverlap)
      may.multiple = 1;
    Plan plan = solved(problem);
    INFO("run " << i);
    if (!plan.optimal)
      continue;
    // The same question twice gives the same answer.
    Plan again = solve(problem);
    for (size_t b = 0; b < problem.buffers.size(); ++b)
      CHECK(again.placements[b].offset == plan.placements[b].offset);
    // Order and names of buffers do not matter.
    Problem mirrored = problem;
    std::reverse(mirrored.buffers.begin(), mirrored.buffers.end());
    int last = static_cast<int>(problem.buffers.size()) - 1;
    for (MayOverlap &may : mirrored.mayOverlap) {
      may.input = last - may.input;
      may.output = last - may.output;
    }
    CHECK(solved(mirrored).heights[0] == plan.heights[0]);
    // Time may run backwards; rules do not (outputs share with one input).
    if (problem.mayOverlap.empty()) {
      Problem reversed = problem;
      for (Buffer &b : reversed.buffers)
        b.life = {100 - b.life.last, 100 - b.life.first};
      CHECK(solved(reversed).heights[0] == plan.heights[0]);
    }
    // All sizes and distances times 3.
    Problem scaled = problem;
    for (Buffer &b : scaled.buffers)
      b.size *= 3;
    for (MayOverlap &may : scaled.mayOverlap)
      for (auto *distance : {&may.ascending, &may.descending})
        if (*distance)
          **distance *= 3;
    CHECK(solved(scaled).heights[0] == 3 * plan.heights[0]);
    // A buffer that lives throughout adds its size.
    Problem more = problem;
    more.buffers.push_back(buffer(7, 0, 20));
    CHECK(solved(more).heights[0] == plan.heights[0] + 7);
  }
}

TEST_CASE("a plan does not depend on the order of buffers and rules") {
  std::mt19937 random(3);
  for (int i = 0; i < 150; ++i) {
    Problem problem = randomProblem(random, {i % 2 == 0, i % 3 != 0, false, i % 3 == 1});
    int count = static_cast<int>(problem.buffers.size());
    for (int b = 0; b < count; ++b)
      problem.buffers[b].name = "b" + std::to_string(b);
    Plan plan = solved(problem);
    std::vector<int> to(count);
    std::iota(to.begin(), to.end(), 0);
    for (int b = count - 1; b > 0; --b)
      std::swap(to[b], to[random() % (b + 1)]);
    Problem shuffled = problem;
    for (int b = 0; b < count; ++b)
      shuffled.buffers[to[b]] = problem.buffers[b];
    for (MayOverlap &may : shuffled.mayOverlap) {
      may.input = to[may.input];
      may.output = to[may.output];
    }
    std::reverse(shuffled.mayOverlap.begin(), shuffled.mayOverlap.end());
    Plan other = solved(shuffled);
    INFO("run " << i);
    for (int b = 0; b < count; ++b)
      CHECK(other.placements[to[b]].offset == plan.placements[b].offset);
    for (size_t m = 0; m < problem.mayOverlap.size(); ++m)
      CHECK(other.overlaps[problem.mayOverlap.size() - 1 - m] == plan.overlaps[m]);
    CHECK(other.bound == plan.bound);
    CHECK(other.nodes == plan.nodes);
  }
}

TEST_CASE("no buffer of a plan can be pushed down") {
  std::mt19937 random(4);
  for (int i = 0; i < 150; ++i) {
    Problem problem =
        randomProblem(random, {i % 2 == 0, i % 3 != 0, false, i % 3 == 1}, i % 4 == 0 ? 40 : 12);
    Plan plan = solved(problem);
    INFO("run " << i);
    for (size_t b = 0; b < problem.buffers.size(); ++b) {
      // To any lower place, with all pairs that share as they are.
      for (int64_t to = 0; to < plan.placements[b].offset; ++to) {
        Plan lower = plan;
        lower.placements[b].offset = to;
        lower.heights[0] = 0;
        for (size_t k = 0; k < problem.buffers.size(); ++k)
          lower.heights[0] =
              std::max(lower.heights[0], lower.placements[k].offset + problem.buffers[k].size);
        lower.bound = std::min(lower.bound, lower.heights[0]);
        lower.optimal = false;
        CHECK_FALSE(checkPlan(problem, lower).empty());
      }
    }
  }
}

TEST_CASE("node limit 0 is heuristics only") {
  Problem problem;
  problem.buffers = {buffer(5, 0, 1, 16), buffer(5, 1, 2, 16), buffer(1, 1, 1)};
  Plan plan = solved(problem, PlannerOptions::ofEffort(0));
  CHECK(plan.nodes == 0);
  CHECK(plan.heights[0] == 21);
  CHECK(plan.bound == 11);
  CHECK_FALSE(plan.optimal);
}

TEST_CASE("the validator rejects corrupted plans") {
  Problem problem;
  problem.buffers = {buffer(8, 0, 1, 4), buffer(8, 1, 2, 4), buffer(4, 1, 2), buffer(2, 1, 2)};
  problem.buffers[2].fixedOffset = 8;
  problem.mayOverlap = {{0, 1, 4, 0, 1}};
  problem.mustAlias = {{2, 3, 1}};
  Plan plan = solved(problem);
  REQUIRE(plan.heights[0] == 12);
  REQUIRE(plan.overlaps[0] == Overlap::descending);
  auto rejects = [&](auto corrupt) {
    Plan bad = plan;
    corrupt(bad);
    return !checkPlan(problem, bad).empty();
  };
  CHECK_FALSE(rejects([](Plan &) {}));
  CHECK(rejects([](Plan &p) { p.placements[1].offset += 4; })); // onto buffer 2
  CHECK(rejects([](Plan &p) { p.placements[0].offset = -4; }));
  CHECK(rejects([](Plan &p) { p.placements[0].offset += 1; })); // alignment
  CHECK(rejects([](Plan &p) { p.placements[2].offset += 1; })); // fixed
  CHECK(rejects([](Plan &p) { p.placements[3].offset += 1; })); // must-alias
  CHECK(rejects([](Plan &p) { p.overlaps[0] = Overlap::none; }));
  CHECK(rejects([](Plan &p) { p.overlaps[0] = Overlap::ascending; }));
  CHECK(rejects([](Plan &p) { p.heights[0] -= 1; }));
  CHECK(rejects([](Plan &p) { p.bound += 1; }));
  CHECK(rejects([](Plan &p) {
    p.optimal = true;
    p.bound -= 1;
  }));
  CHECK(rejects([](Plan &p) { p.placements[0].region = 1; }));
  CHECK(rejects([](Plan &p) { p.placements.pop_back(); }));
}

TEST_CASE("the validator rejects bad problems") {
  auto rejects = [&](auto corrupt) {
    Problem problem;
    problem.buffers = {buffer(8, 0, 1), buffer(4, 1, 2)};
    corrupt(problem);
    return !checkProblem(problem).empty();
  };
  CHECK_FALSE(rejects([](Problem &) {}));
  CHECK(rejects([](Problem &p) { p.buffers[0].size = 0; }));
  CHECK(rejects([](Problem &p) { p.buffers[0].size = p.buffers[1].size = INT64_MAX; }));
  CHECK(rejects([](Problem &p) { p.buffers[0].align = 3; }));
  CHECK(rejects([](Problem &p) { p.buffers[0].life = {1, 0}; }));
  CHECK(rejects([](Problem &p) { p.buffers[0].fixedOffset = -1; }));
  CHECK(rejects([](Problem &p) { p.buffers[0].regions = {1}; }));
  CHECK(rejects([](Problem &p) { p.mustAlias = {{0, 1, 99}}; }));
  CHECK(rejects([](Problem &p) { p.mustAlias = {{0, 0, 0}}; }));
  CHECK(rejects([](Problem &p) {
    p.buffers[1].size = 8;
    p.mustAlias = {{0, 1, 0}, {1, 0, 0}};
  }));
  CHECK(rejects([](Problem &p) { p.mayOverlap = {{0, 2, 0, 0, 1}}; }));
  CHECK(rejects([](Problem &p) { p.mayOverlap = {{0, 1, 0, 0, -1}}; }));
  CHECK(rejects([](Problem &p) { p.regions.clear(); }));
}
