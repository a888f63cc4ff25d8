// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last criterion among plans of one height: items are pushed down, lowest
// first, each as far as it goes without passing into what stands there, until
// none can move. Which pairs share, and the way each step runs, stay as they are.
#include "passes/planner/Model.h"

#include <algorithm>
#include <numeric>

namespace aotc::planner {
namespace {

constexpr int64_t kMaxLooks = 20'000'000; ///< at neighbours, in all

class Compaction {
public:
  Compaction(const Model &model, Layout &layout) : model(model), layout(layout) {}
  void run();

private:
  /// The least start of at least `start` that is legal beside one neighbour.
  int64_t besides(int item, const Neighbour &n, int64_t start) const;
  int64_t lowest(int item);

  const Model &model;
  Layout &layout;
  int64_t looks = 0;
};

int64_t Compaction::besides(int item, const Neighbour &n, int64_t start) const {
  if (layout.regions[item] != layout.regions[n.other])
    return start;
  int64_t at = layout.offsets[n.other], end = at + model.items[n.other].size;
  if (start >= end || start + model.items[item].size <= at)
    return start;
  Overlap way = n.rule < 0 ? Overlap::none : layout.used[n.rule];
  if (way == Overlap::none)
    return end;
  const Rule &rule = model.rules[n.rule];
  // A distance that grows with this item's start, or shrinks.
  bool grows = (rule.input == item) == (way == Overlap::ascending);
  int64_t next = end;
  for (const MayOverlap &may : rule.alternatives) {
    if (grows) {
      if (auto apart = allowedFrom(may, way, start - at))
        next = std::min(next, at + *apart);
    } else if (auto apart = allowedUpTo(may, way, at - start)) {
      next = std::min(next, at - *apart);
    }
  }
  return next;
}

int64_t Compaction::lowest(int item) {
  const Item &own = model.items[item];
  int64_t start = own.alignUp(0), now = layout.offsets[item];
  // Legal beside all in a row, or on from the first where it is not.
  const auto &neighbours = model.neighbours[item];
  size_t legal = 0;
  for (size_t k = 0; legal < neighbours.size() && start < now; k = (k + 1) % neighbours.size()) {
    if (++looks > kMaxLooks)
      return now;
    int64_t next = own.alignUp(besides(item, neighbours[k], start));
    legal = next == start ? legal + 1 : 0;
    start = next;
  }
  return std::min(start, now);
}

void Compaction::run() {
  std::vector<int> order(model.items.size());
  std::iota(order.begin(), order.end(), 0);
  for (bool moved = true; moved;) {
    moved = false;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
      return std::pair(layout.offsets[a], a) < std::pair(layout.offsets[b], b);
    });
    for (int item : order) {
      if (model.items[item].fixed)
        continue;
      int64_t to = lowest(item);
      moved |= to < layout.offsets[item];
      layout.offsets[item] = to;
    }
  }
}

} // namespace

void compact(const Model &model, Layout &layout) {
  Compaction(model, layout).run();
  settleOverlaps(model, layout);
}

} // namespace aotc::planner
