// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order search against all orders of small random graphs, and the figures
// of graphs whose best order can be worked out by hand.
#include "passes/planner/Order.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>

using namespace aotc::planner;

namespace {

std::vector<int> given(const OrderProblem &problem) {
  std::vector<int> order(problem.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  return order;
}

bool isLegal(const OrderProblem &problem, const std::vector<int> &order) {
  std::vector<bool> run(problem.nodes.size());
  for (int node : order) {
    for (int p : problem.nodes[node].after)
      if (!run[p])
        return false;
    if (run[node])
      return false;
    run[node] = true;
  }
  return order.size() == problem.nodes.size();
}

/// By the definition alone, without sets: who lives from when to when.
int64_t plainPeak(const OrderProblem &problem, const std::vector<int> &order) {
  int n = static_cast<int>(order.size());
  std::vector<int> first(problem.buffers.size(), n), last(problem.buffers.size(), -1);
  for (int t = 0; t < n; ++t)
    for (int b : problem.nodes[order[t]].buffers) {
      first[b] = std::min(first[b], t);
      last[b] = std::max(last[b], t);
    }
  int64_t peak = 0;
  for (size_t b = 0; b < problem.buffers.size(); ++b) {
    if (problem.buffers[b].fromStart)
      peak += problem.buffers[b].bytes, first[b] = -1;
    if (problem.buffers[b].toEnd)
      last[b] = n;
  }
  for (int t = 0; t < n; ++t) {
    int64_t live = 0, saved = 0;
    for (size_t b = 0; b < problem.buffers.size(); ++b)
      if (first[b] <= t && t <= last[b])
        live += problem.buffers[b].bytes;
    for (const auto &s : problem.nodes[order[t]].savings)
      if (first[s.output] == t && last[s.input] == t)
        saved = std::max(saved, s.bytes);
    peak = std::max(peak, live - saved);
  }
  return peak;
}

int64_t bestOfAll(const OrderProblem &problem) {
  std::vector<int> order = given(problem);
  int64_t best = plainPeak(problem, order);
  do
    if (isLegal(problem, order))
      best = std::min(best, plainPeak(problem, order));
  while (std::next_permutation(order.begin(), order.end()));
  return best;
}

/// A random graph of `n` nodes; some write parts of a common buffer, some
/// pairs can share.
OrderProblem randomProblem(std::mt19937 &random, int n) {
  auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  OrderProblem problem;
  problem.buffers.push_back({1 + below(20), true, false});
  std::vector<std::vector<int>> writers = {{}};
  for (int node = 0; node < n; ++node) {
    OrderProblem::Node made;
    for (int k = 1 + below(2); k > 0; --k) {
      int b = below(static_cast<int>(problem.buffers.size()));
      if (std::count(made.buffers.begin(), made.buffers.end(), b))
        continue;
      made.buffers.push_back(b);
      made.after.insert(made.after.end(), writers[b].begin(), writers[b].end());
    }
    int inputs = static_cast<int>(made.buffers.size());
    int out = -1;
    if (below(5) == 0) // one more part of a buffer nobody has read yet
      for (size_t b = 1; b < problem.buffers.size() && out < 0; ++b) {
        bool read = std::count(made.buffers.begin(), made.buffers.end(), static_cast<int>(b));
        for (const auto &other : problem.nodes)
          for (size_t i = 0; i + 1 < other.buffers.size(); ++i)
            read |= other.buffers[i] == static_cast<int>(b);
        if (!read)
          out = static_cast<int>(b);
      }
    if (out < 0) {
      out = static_cast<int>(problem.buffers.size());
      problem.buffers.push_back({1 + below(30), false, below(6) == 0});
      writers.push_back({});
    }
    for (int i = 0; i < inputs; ++i)
      if (below(2) == 0) {
        int64_t most = std::min(problem.buffers[made.buffers[i]].bytes, problem.buffers[out].bytes);
        made.savings.push_back({made.buffers[i], out, 1 + below(static_cast<int>(most))});
      }
    made.buffers.push_back(out);
    writers[out].push_back(node);
    std::sort(made.after.begin(), made.after.end());
    made.after.erase(std::unique(made.after.begin(), made.after.end()), made.after.end());
    problem.nodes.push_back(made);
  }
  return problem;
}

/// `width` chains from one input to one sum: wide after the first node of each,
/// narrow after the second. One after the other is best.
OrderProblem branches(int width, int64_t wide, int64_t narrow) {
  OrderProblem problem;
  problem.buffers.push_back({8, true, false});
  OrderProblem::Node sum;
  for (int i = 0; i < width; ++i) {
    problem.buffers.push_back({wide, false, false});
    problem.buffers.push_back({narrow, false, false});
    sum.buffers.push_back(2 + 2 * i);
    sum.after.push_back(width + i);
  }
  for (int i = 0; i < width; ++i)
    problem.nodes.push_back({{0, 1 + 2 * i}, {}, {}});
  for (int i = 0; i < width; ++i)
    problem.nodes.push_back({{1 + 2 * i, 2 + 2 * i}, {i}, {}});
  problem.nodes.push_back(sum);
  return problem;
}

} // namespace

TEST_CASE("order: the least of all orders of small graphs, proved") {
  std::mt19937 random(4);
  int better = 0;
  for (int round = 0; round < 400; ++round) {
    OrderProblem problem = randomProblem(random, 2 + round % 6);
    Order order = findOrder(problem);
    INFO("round " << round);
    REQUIRE(isLegal(problem, order.nodes));
    REQUIRE(order.givenPeak == plainPeak(problem, given(problem)));
    REQUIRE(order.peak == plainPeak(problem, order.nodes));
    REQUIRE(order.peak == peakOf(problem, order.nodes));
    REQUIRE(order.peak == bestOfAll(problem));
    REQUIRE(order.proved);
    better += order.peak < order.givenPeak;
  }
  REQUIRE(better > 10); // else the test shows nothing
}

TEST_CASE("order: beam search is legal, never worse, and claims nothing false") {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    OrderProblem problem = randomProblem(random, 7);
    Order order = findOrder(problem, {1, 2, {}});
    REQUIRE(isLegal(problem, order.nodes));
    REQUIRE(order.peak == plainPeak(problem, order.nodes));
    REQUIRE(order.peak <= order.givenPeak);
    if (order.proved)
      REQUIRE(order.peak == bestOfAll(problem));
  }
}

TEST_CASE("order: branches run one after the other") {
  // While the last branch runs: the input, three narrow results, one wide one;
  // its second half has four narrow ones but no input. In the given order all
  // four wide ones live at once.
  OrderProblem problem = branches(4, 100, 1);
  Order order = findOrder(problem);
  CHECK(order.givenPeak == 8 + 4 * 100);
  CHECK(order.peak == 8 + 3 + 100);
  CHECK(order.proved);
}

TEST_CASE("order: wide graphs end at the limit, with the best known, unproved") {
  // 2^30 sets of finished branches, each new one a byte higher.
  OrderProblem problem = branches(30, 100, 1);
  Order order = findOrder(problem, {1000, 64, {}});
  CHECK(order.peak == 8 + 29 + 100);
  CHECK_FALSE(order.proved);
  CHECK(order.states <= 1001 + 64 * 61);
  // Ten are few enough.
  CHECK(findOrder(branches(10, 100, 1)).proved);
}

TEST_CASE("order: without gain the given one stands") {
  OrderProblem problem;
  problem.buffers = {{4, true, false}, {4, false, true}, {4, false, true}};
  problem.nodes = {{{0, 1}, {}, {}}, {{0, 2}, {}, {}}};
  Order order = findOrder(problem);
  CHECK(order.nodes == given(problem));
  CHECK(order.peak == 12);
  CHECK(order.proved);
}

TEST_CASE("order: a shuffle is legal and depends on the seed alone") {
  std::mt19937 random(6);
  bool differs = false;
  for (int round = 0; round < 50; ++round) {
    OrderProblem problem = randomProblem(random, 12);
    std::vector<int> order = shuffledOrder(problem, 7);
    REQUIRE(isLegal(problem, order));
    REQUIRE(order == shuffledOrder(problem, 7));
    differs |= order != shuffledOrder(problem, 8);
  }
  REQUIRE(differs);
}
