// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Model.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace aotc::planner {

/// x modulo y in [0, y).
static int64_t modulo(int64_t x, int64_t y) { return ((x % y) + y) % y; }

int64_t Item::alignUp(int64_t offset) const { return offset + modulo(residue - offset, align); }

int64_t Item::alignDown(int64_t offset) const { return offset - modulo(offset - residue, align); }

static bool together(const Lifetime &a, const Lifetime &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// Regions of the problem that buffers allow, cheapest first.
static std::vector<int> allowedRegions(const Problem &problem, const Buffer &buffer) {
  if (buffer.fixedRegion)
    return {*buffer.fixedRegion};
  std::vector<int> regions = buffer.regions;
  if (regions.empty()) {
    regions.resize(problem.regions.size());
    std::iota(regions.begin(), regions.end(), 0);
  }
  std::sort(regions.begin(), regions.end(), [&](int a, int b) {
    return std::pair(problem.regions[a].cost, a) < std::pair(problem.regions[b].cost, b);
  });
  return regions;
}

Model::Model(const Problem &problem) {
  const auto &buffers = problem.buffers;
  int count = static_cast<int>(buffers.size());

  // Follow must-alias to the outermost buffer.
  std::vector<int> parent(count, -1);
  std::vector<int64_t> inParent(count, 0);
  for (const MustAlias &alias : problem.mustAlias) {
    parent[alias.b] = alias.a;
    inParent[alias.b] = alias.delta;
  }
  itemOf.assign(count, -1);
  delta.assign(count, 0);
  for (int b = 0; b < count; ++b)
    if (parent[b] < 0) {
      itemOf[b] = static_cast<int>(items.size());
      Item item;
      item.size = buffers[b].size;
      item.align = buffers[b].align;
      item.life = buffers[b].life;
      item.fixed = buffers[b].fixedOffset;
      item.regions = allowedRegions(problem, buffers[b]);
      items.push_back(item);
    }
  for (int b = 0; b < count; ++b) {
    if (parent[b] < 0)
      continue;
    int root = b;
    for (; parent[root] >= 0; root = parent[root])
      delta[b] += inParent[root];
    Item &item = items[itemOf[b] = itemOf[root]];
    const Buffer &buffer = buffers[b];
    ++item.members;
    if (buffer.align > item.align) {
      item.align = buffer.align;
      item.residue = modulo(-delta[b], item.align);
    }
    if (buffer.fixedOffset)
      item.fixed = *buffer.fixedOffset - delta[b];
    if (!buffer.regions.empty() || buffer.fixedRegion)
      std::erase_if(item.regions, [&, own = allowedRegions(problem, buffer)](int r) {
        return std::find(own.begin(), own.end(), r) == own.end();
      });
    // A view that lives longer than its buffer keeps all of it alive here.
    if (buffer.life.first < item.life.first || buffer.life.last > item.life.last)
      faithful = false;
    item.life.first = std::min(item.life.first, buffer.life.first);
    item.life.last = std::max(item.life.last, buffer.life.last);
  }

  std::map<std::pair<int, int>, int> ruleOf;
  for (size_t i = 0; i < problem.mayOverlap.size(); ++i) {
    const MayOverlap &may = problem.mayOverlap[i];
    int input = itemOf[may.input], output = itemOf[may.output];
    int64_t shift = delta[may.input] - delta[may.output];
    // Only whole items overlap; of two rules for one pair the first is used.
    bool whole = buffers[may.input].size == items[input].size &&
                 buffers[may.output].size == items[output].size;
    if (input == output || !whole || ruleOf.count({input, output}) ||
        ruleOf.count({output, input})) {
      faithful = false;
      continue;
    }
    Rule rule{input,
              output,
              may.ascending,
              may.descending,
              may.multiple,
              shift,
              buffers[may.input].life.last};
    if (rule.ascending)
      *rule.ascending -= shift;
    if (rule.descending)
      *rule.descending += shift;
    ruleOf[{input, output}] = ruleOf[{output, input}] = static_cast<int>(rules.size());
    rules.push_back(rule);
    ruleSource.push_back(static_cast<int>(i));
  }

  // Neighbours by a sweep over births.
  neighbours.resize(items.size());
  std::vector<int> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return items[a].life.first < items[b].life.first; });
  std::vector<int> alive;
  for (int item : order) {
    std::erase_if(alive, [&](int other) { return !together(items[other].life, items[item].life); });
    for (int other : alive) {
      auto found = ruleOf.find({item, other});
      int rule = found == ruleOf.end() ? -1 : found->second;
      neighbours[item].push_back({other, rule});
      neighbours[other].push_back({item, rule});
    }
    alive.push_back(item);
  }
  for (auto &list : neighbours)
    std::sort(list.begin(), list.end(),
              [](const Neighbour &a, const Neighbour &b) { return a.other < b.other; });
}

int64_t height(const Model &model, const Layout &layout) {
  std::map<int, int64_t> heights;
  for (size_t i = 0; i < model.items.size(); ++i) {
    int64_t &top = heights[layout.regions[i]];
    top = std::max(top, layout.offsets[i] + model.items[i].size);
  }
  int64_t sum = 0;
  for (auto [region, top] : heights)
    sum += top;
  return sum;
}

bool settleOverlaps(const Model &model, Layout &layout) {
  layout.used.assign(model.rules.size(), Overlap::none);
  std::vector<std::pair<bool, bool>> can(model.rules.size());
  std::map<int64_t, std::pair<bool, bool>> canAtStep;
  std::map<int, int> partner;
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const Rule &rule = model.rules[r];
    if (!together(model.items[rule.input].life, model.items[rule.output].life) ||
        layout.regions[rule.input] != layout.regions[rule.output])
      continue;
    int64_t in = layout.offsets[rule.input], out = layout.offsets[rule.output];
    if (in + model.items[rule.input].size <= out || out + model.items[rule.output].size <= in)
      continue;
    if (!partner.emplace(rule.output, r).second || modulo(in - out + rule.shift, rule.multiple))
      return false;
    can[r] = {rule.ascending && in - out >= *rule.ascending,
              rule.descending && out - in >= *rule.descending};
    auto &step = canAtStep.try_emplace(rule.step, true, true).first->second;
    step.first &= can[r].first;
    step.second &= can[r].second;
    if (!step.first && !step.second)
      return false;
    layout.used[r] = Overlap::ascending;
  }
  for (size_t r = 0; r < model.rules.size(); ++r)
    if (layout.used[r] != Overlap::none && !canAtStep[model.rules[r].step].first)
      layout.used[r] = Overlap::descending;
  return true;
}

} // namespace aotc::planner
