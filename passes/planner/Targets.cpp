// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which heights the canonical search is asked for, in which orders and with
// how many nodes. The bound comes first: most problems reach it, and a tight
// height prunes best. Searches vary by orders of magnitude in length, so all
// orders take turns with few nodes before any gets many. Where the bound is out
// of reach, heights are bisected with few nodes; then, as a height may fail while
// one a little below is found at once, those right below the best are tried one
// by one, the first order alone, with few nodes and then with many.
#include "passes/planner/Canonical.h"

#include <algorithm>
#include <numeric>

namespace aotc::planner {
namespace {

/// All offsets of a canonical plan are multiples of it.
int64_t granularity(const Model &model) {
  int64_t unit = 0;
  for (const Item &item : model.items) {
    unit = std::gcd(unit, item.size);
    if (item.fixed)
      unit = std::gcd(unit, *item.fixed);
  }
  // Alignment beyond the unit rounds to its multiples; below, it is met.
  for (const Item &item : model.items)
    if (item.align > 1 && (item.residue != 0 || unit % item.align != 0))
      unit = std::gcd(unit, std::gcd(item.align, item.residue));
  return unit;
}

/// Below the best: in how many steps to the bound, how many may fail in a row.
constexpr int64_t kSteps = 64;
constexpr int kMisses = 6;

/// All searches together; on average, so that large problems end in time.
constexpr int64_t kWorkPerNode = 5'000;

bool inBudget(const CanonicalSearch &search, const PlannerOptions &options) {
  return search.nodes < options.nodeLimit && search.work < options.nodeLimit * kWorkPerNode;
}

Answer ask(CanonicalSearch &search, const PlannerOptions &options, int64_t height,
           std::vector<int64_t> &offsets) {
  // Small problems end here, with proof.
  Answer answer = search.run(height, 0, options.nodeLimit / 250, false, offsets);
  bool ended = false;
  for (int64_t share : {500, 100, 20})
    for (int order = 0; order < CanonicalSearch::kOrders && answer == Answer::gaveUp; ++order) {
      if (!inBudget(search, options))
        return Answer::gaveUp;
      int64_t before = search.nodes;
      answer = search.run(height, order, options.nodeLimit / share, true, offsets);
      ended |= answer == Answer::gaveUp && search.nodes - before < options.nodeLimit / share;
    }
  // Jumps ended quickly: an exhaustive search may, too.
  if (answer == Answer::gaveUp && ended)
    answer = search.run(height, 0, options.nodeLimit / 20, false, offsets);
  return answer;
}

} // namespace

void planCanonically(const Model &model, const PlannerOptions &options, Layout &best,
                     int64_t &bound, int64_t &nodes) {
  CanonicalSearch search(model);
  int64_t unit = granularity(model);
  auto roundUp = [&](int64_t value) { return (value + unit - 1) / unit * unit; };
  int64_t least = roundUp(bound), most = height(model, best);
  bool proving = model.faithful;
  if (proving)
    bound = least;
  if (options.progress)
    search.tick = [&] { options.progress({nodes + search.nodes, most, bound}); };
  auto found = [&](const std::vector<int64_t> &offsets) {
    best.offsets = offsets;
    most = height(model, best);
  };
  auto refuted = [&](int64_t target) {
    least = target + unit;
    if (proving)
      bound = least;
  };
  bool reached = true; // every height asked for so far was found or refuted
  for (int64_t target = least; least < most && inBudget(search, options);
       target = least + (most - least) / unit / 2 * unit) {
    std::vector<int64_t> offsets;
    Answer answer = reached ? ask(search, options, target, offsets)
                            : search.run(target, 0, options.nodeLimit / 100, true, offsets);
    if (answer == Answer::found) {
      found(offsets);
    } else if (answer == Answer::none) {
      refuted(target);
    } else {
      least = target + unit;
      proving = reached = false;
    }
  }
  if (!reached)
    for (int64_t share : {100, 20}) {
      int64_t step = std::max(unit, roundUp((most - bound) / kSteps));
      int misses = 0;
      for (int64_t target = most - step;
           target > bound && misses < kMisses && inBudget(search, options); target -= step) {
        std::vector<int64_t> offsets;
        Answer answer = search.run(target, 0, options.nodeLimit / share, true, offsets);
        ++misses;
        if (answer == Answer::found) {
          found(offsets);
          target = most;
          misses = 0;
        }
      }
    }
  nodes += search.nodes;
}

} // namespace aotc::planner
