// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy planning: items are placed one by one, each at the lowest free place
// (first fit) or in the tightest gap (best fit), in several orders. Where a
// rule of overlap relates an item to one that is placed, the item is tried
// with and without it.
#include "passes/planner/Model.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>

namespace aotc::planner {
namespace {

/// Starts strictly between `low` and `high` are taken.
struct Zone {
  int64_t low, high;
};

/// The one rule an item is placed with, and its direction.
struct Choice {
  int rule = -1;
  int alternative = 0;
  Overlap way = Overlap::none;
  int partner = -1;
};

struct Spot {
  int64_t offset = 0;
  int64_t slack = 0; ///< of the gap; the open end has the most
};

constexpr int64_t kMaxLooks = 50'000'000; ///< at neighbours, by all orders; one order in any case

constexpr int64_t kOpenEnd = int64_t(1) << 62;

class Greedy {
public:
  Greedy(const Problem &problem, const Model &model) : problem(problem), model(model) {}

  /// Places all items in that order; false if rules contradict in the end.
  bool run(const std::vector<int> &order, bool bestFit, Layout &layout);

private:
  void place(int item, bool bestFit);
  std::vector<Choice> choices(int item, int region) const;
  Spot findSpot(int item, int region, const Choice &choice, bool bestFit) const;
  bool placed(int item) const { return layout.offsets[item] != kOpenEnd; }

  const Problem &problem;
  const Model &model;
  Layout layout;
  std::map<int, int> partnerOf; ///< output -> rule in use
  std::map<int64_t, Overlap> wayAtStep;
};

std::vector<Choice> Greedy::choices(int item, int region) const {
  std::vector<Choice> result = {{}};
  for (const Neighbour &n : model.neighbours[item]) {
    if (n.rule < 0 || !placed(n.other) || layout.regions[n.other] != region)
      continue;
    const Rule &rule = model.rules[n.rule];
    if (partnerOf.count(rule.output))
      continue;
    auto way = wayAtStep.find(rule.step);
    auto open = [&](Overlap wanted) { return way == wayAtStep.end() || way->second == wanted; };
    for (int k = 0; k < static_cast<int>(rule.alternatives.size()); ++k) {
      const MayOverlap &may = rule.alternatives[k];
      if (may.ascending && open(Overlap::ascending))
        result.push_back({n.rule, k, Overlap::ascending, n.other});
      if (may.descending && open(Overlap::descending))
        result.push_back({n.rule, k, Overlap::descending, n.other});
    }
  }
  return result;
}

Spot Greedy::findSpot(int item, int region, const Choice &choice, bool bestFit) const {
  const Item &own = model.items[item];
  const Rule *rule = choice.rule < 0 ? nullptr : &model.rules[choice.rule];
  const MayOverlap *may = rule ? &rule->alternatives[choice.alternative] : nullptr;
  std::vector<Zone> zones;
  for (const Neighbour &n : model.neighbours[item]) {
    if (!placed(n.other) || layout.regions[n.other] != region)
      continue;
    int64_t at = layout.offsets[n.other];
    int64_t below = own.size, above = model.items[n.other].size;
    if (n.rule >= 0 && n.rule == choice.rule) {
      bool isInput = rule->input == item;
      bool ascending = choice.way == Overlap::ascending;
      int64_t distance = ascending ? *may->ascending : *may->descending;
      // Ascending, the input stands above the output; descending, below.
      int64_t &side = isInput == ascending ? above : below;
      side = std::min(side, distance);
    }
    if (at - below < at + above)
      zones.push_back({at - below, at + above});
  }
  std::sort(zones.begin(), zones.end(), [](const Zone &a, const Zone &b) {
    return std::pair(a.low, a.high) < std::pair(b.low, b.high);
  });

  // Starts allowed by alignment, and by the rule's multiple while they share.
  auto adjust = [&](int64_t start) {
    start = own.alignUp(start);
    if (!may || may->multiple == 1)
      return start;
    int64_t at = layout.offsets[choice.partner], end = at + model.items[choice.partner].size;
    if (start >= end || start + own.size <= at)
      return start;
    int64_t phase = at + (rule->input == item ? may->phase : -may->phase);
    auto both = intersect({own.align, own.residue}, {may->multiple, phase});
    auto shared = both ? both->from(start) : std::nullopt;
    return shared && *shared < end ? *shared : own.alignUp(end);
  };

  Spot best{0, kOpenEnd};
  bool found = false;
  int64_t start = adjust(0);
  for (const Zone &zone : zones) {
    if (start <= zone.low) {
      int64_t slack = zone.low - start;
      if (!found || slack < best.slack)
        best = {start, slack};
      found = true;
      if (!bestFit)
        return best;
    }
    if (zone.high > start)
      start = adjust(zone.high);
  }
  return found ? best : Spot{start, kOpenEnd};
}

void Greedy::place(int item, bool bestFit) {
  const Item &own = model.items[item];
  for (size_t r = 0; r < own.regions.size(); ++r) {
    int region = own.regions[r];
    auto capacity = problem.regions[region].capacity;
    std::optional<Spot> spot;
    Choice taken;
    for (const Choice &choice : choices(item, region)) {
      Spot candidate = own.fixed ? Spot{*own.fixed, 0} : findSpot(item, region, choice, bestFit);
      bool better =
          !spot || (bestFit && candidate.slack != spot->slack ? candidate.slack < spot->slack
                                                              : candidate.offset < spot->offset);
      if (better) {
        spot = candidate;
        taken = choice;
      }
    }
    bool last = r + 1 == own.regions.size();
    if (capacity && spot->offset + own.size > *capacity && !last)
      continue;
    layout.offsets[item] = spot->offset;
    layout.regions[item] = region;
    if (taken.rule >= 0) {
      int64_t at = layout.offsets[taken.partner];
      if (spot->offset < at + model.items[taken.partner].size && at < spot->offset + own.size) {
        partnerOf[model.rules[taken.rule].output] = taken.rule;
        wayAtStep[model.rules[taken.rule].step] = taken.way;
      }
    }
    return;
  }
}

bool Greedy::run(const std::vector<int> &order, bool bestFit, Layout &result) {
  layout.offsets.assign(model.items.size(), kOpenEnd);
  layout.regions.assign(model.items.size(), 0);
  partnerOf.clear();
  wayAtStep.clear();
  for (bool fixed : {true, false})
    for (int item : order)
      if (model.items[item].fixed.has_value() == fixed)
        place(item, bestFit);
  bool settled = settleOverlaps(model, layout);
  result = layout;
  return settled;
}

/// Most bytes live at once during the item's life.
std::vector<int64_t> pressures(const Model &model) {
  std::vector<int64_t> result;
  for (size_t i = 0; i < model.items.size(); ++i) {
    std::map<int64_t, int64_t> change; // step -> bytes born less bytes dead
    const Lifetime &life = model.items[i].life;
    for (const Neighbour &n : model.neighbours[i]) {
      const Item &other = model.items[n.other];
      change[std::max(other.life.first, life.first)] += other.size;
      change[std::min(other.life.last, life.last) + 1] -= other.size;
    }
    int64_t live = model.items[i].size, most = live;
    for (auto [step, bytes] : change)
      most = std::max(most, live += bytes);
    result.push_back(most);
  }
  return result;
}

/// Bytes times steps, saturated.
int64_t area(const Item &item) {
  int64_t result = 0;
  if (__builtin_mul_overflow(item.size, item.life.last - item.life.first + 1, &result))
    return std::numeric_limits<int64_t>::max();
  return result;
}

} // namespace

Layout planGreedily(const Problem &problem, const Model &model, int64_t bound) {
  using Key = std::vector<int64_t>;
  std::vector<int64_t> pressure = pressures(model);
  // Smallest key first.
  const std::function<Key(int)> keys[] = {
      [&](int i) {
        const Item &m = model.items[i];
        return Key{-m.size, m.life.first - m.life.last};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{-m.size, m.life.first};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{-area(m)};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{m.life.first - m.life.last, -m.size};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{m.life.first, -m.size};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{-m.life.last, -m.size};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{-pressure[i], -m.size};
      },
      [&](int i) {
        const Item &m = model.items[i];
        return Key{-pressure[i], m.life.first};
      },
  };

  Greedy greedy(problem, model);
  Layout best;
  int64_t looks = 0, looksPerRun = 0;
  for (const auto &list : model.neighbours)
    looksPerRun += static_cast<int64_t>(list.size());
  std::optional<std::pair<bool, int64_t>> bestScore; ///< unsettled, height
  for (const auto &key : keys)
    for (bool backwards : {false, true})
      for (bool bestFit : {false, true}) {
        std::vector<int> order(model.items.size());
        std::iota(order.begin(), order.end(), 0);
        std::vector<Key> values;
        for (size_t i = 0; i < model.items.size(); ++i)
          values.push_back(key(static_cast<int>(i)));
        std::sort(order.begin(), order.end(), [&](int a, int b) {
          return values[a] != values[b] ? values[a] < values[b] : (a < b) != backwards && a != b;
        });
        Layout layout;
        bool unsettled = !greedy.run(order, bestFit, layout);
        std::pair score(unsettled, height(model, layout));
        if (!bestScore || score < *bestScore) {
          best = layout;
          bestScore = score;
        }
        looks += looksPerRun;
        if ((!unsettled && score.second <= bound) || looks > kMaxLooks)
          return best;
      }
  return best;
}

} // namespace aotc::planner
