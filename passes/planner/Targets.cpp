// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which heights the canonical search is asked for, in which orders and with
// how many nodes. The bound comes first: most problems reach it, and a tight
// height prunes best. Searches vary by orders of magnitude in length, so all
// orders take turns with few nodes before any gets many.
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

Answer ask(CanonicalSearch &search, const PlannerOptions &options, int64_t height,
           std::vector<int64_t> &offsets) {
  // Small problems end here, with proof.
  Answer answer = search.run(height, 0, options.nodeLimit / 250, false, offsets);
  bool ended = false;
  for (int64_t share : {500, 100, 20})
    for (int order = 0; order < CanonicalSearch::kOrders && answer == Answer::gaveUp; ++order) {
      if (search.nodes >= options.nodeLimit)
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
  int64_t target = least;
  while (least < most && search.nodes < options.nodeLimit) {
    std::vector<int64_t> offsets;
    switch (ask(search, options, target, offsets)) {
    case Answer::found:
      best.offsets = offsets;
      most = height(model, best);
      break;
    case Answer::none:
      least = target + unit;
      if (proving)
        bound = least;
      break;
    case Answer::gaveUp:
      least = target + unit;
      proving = false;
      break;
    }
    target = least + (most - least) / unit / 2 * unit;
  }
  nodes += search.nodes;
}

} // namespace aotc::planner
