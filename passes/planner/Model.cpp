// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Model.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

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

std::optional<int64_t> Congruence::from(int64_t least) const {
  if (modulus == 0)
    return phase >= least ? std::optional(phase) : std::nullopt;
  return least + modulo(phase - least, modulus);
}

std::optional<int64_t> Congruence::upTo(int64_t greatest) const {
  if (modulus == 0)
    return phase <= greatest ? std::optional(phase) : std::nullopt;
  return greatest - modulo(greatest - phase, modulus);
}

std::optional<Congruence> intersect(Congruence a, Congruence b) {
  if (a.modulus == 0)
    std::swap(a, b);
  if (b.modulus == 0) {
    bool same = a.from(b.phase) == b.phase;
    return same ? std::optional(b) : std::nullopt;
  }
  // x = a.phase + k * a.modulus; the inverse of a.modulus / divisor gives k.
  int64_t divisor = std::gcd(a.modulus, b.modulus), rest = b.modulus / divisor;
  int64_t wanted = modulo(b.phase - a.phase, b.modulus);
  if (wanted % divisor)
    return std::nullopt;
  int64_t inverse = 0, next = 1; // extended Euclid
  for (int64_t r = rest, s = modulo(a.modulus / divisor, rest); s != 0;) {
    int64_t quotient = r / s;
    std::tie(r, s) = std::pair(s, r - quotient * s);
    std::tie(inverse, next) = std::pair(next, inverse - quotient * next);
  }
  int64_t k = modulo(wanted / divisor % rest * modulo(inverse, rest), rest);
  return Congruence{a.modulus * rest, a.phase + k * a.modulus};
}

std::optional<int64_t> allowedFrom(const MayOverlap &may, Overlap way, int64_t from) {
  bool up = way == Overlap::ascending;
  auto least = up ? may.ascending : may.descending;
  Congruence distances{may.multiple, up ? may.phase : -may.phase};
  return least ? distances.from(std::max(from, *least)) : std::nullopt;
}

std::optional<int64_t> allowedUpTo(const MayOverlap &may, Overlap way, int64_t from) {
  bool up = way == Overlap::ascending;
  auto least = up ? may.ascending : may.descending;
  auto greatest = Congruence{may.multiple, up ? may.phase : -may.phase}.upTo(from);
  return least && greatest && *greatest >= *least ? greatest : std::nullopt;
}

std::optional<MayOverlap> both(const MayOverlap &a, const MayOverlap &b) {
  auto stricter = [](std::optional<int64_t> x, std::optional<int64_t> y) {
    return x && y ? std::optional(std::max(*x, *y)) : std::nullopt;
  };
  MayOverlap result = a;
  result.ascending = stricter(a.ascending, b.ascending);
  result.descending = stricter(a.descending, b.descending);
  auto distances = intersect({a.multiple, a.phase}, {b.multiple, b.phase});
  if (!distances || distances->modulus > kMaxMultiple || (!result.ascending && !result.descending))
    return std::nullopt;
  result.multiple = distances->modulus;
  result.phase =
      distances->modulus ? modulo(distances->phase, distances->modulus) : distances->phase;
  return result;
}

bool Rule::has(Overlap way) const {
  return std::any_of(alternatives.begin(), alternatives.end(), [&](const MayOverlap &may) {
    return way == Overlap::ascending ? may.ascending.has_value() : may.descending.has_value();
  });
}

int Rule::alternativeAt(Overlap way, int64_t distance) const {
  for (size_t i = 0; i < alternatives.size(); ++i)
    if (allowedFrom(alternatives[i], way, distance) == distance)
      return static_cast<int>(i);
  return -1;
}

/// Do the members that live as long as the item cover all of it? If not, the
/// item takes bytes that its members leave free.
static bool isCovered(const Problem &problem, const Item &item, const std::vector<int> &members,
                      const std::vector<int64_t> &delta) {
  int64_t covered = 0; // members ascend by delta
  for (int b : members) {
    const Buffer &buffer = problem.buffers[b];
    if (buffer.life.first == item.life.first && buffer.life.last == item.life.last &&
        delta[b] <= covered)
      covered = std::max(covered, delta[b] + buffer.size);
  }
  return covered == item.size;
}

void Model::makeItems(const Problem &problem) {
  const auto &buffers = problem.buffers;
  int count = static_cast<int>(buffers.size());
  // Distances to the buffer at the end of the chain of aliases.
  std::vector<int> root(count, -1);
  std::vector<const MustAlias *> aliasOf(count, nullptr);
  for (const MustAlias &alias : problem.mustAlias)
    aliasOf[alias.b] = &alias;
  delta.assign(count, 0);
  std::vector<std::vector<int>> members(count); // by root
  for (int b = 0; b < count; ++b) {
    root[b] = b;
    for (; aliasOf[root[b]]; root[b] = aliasOf[root[b]]->a)
      delta[b] += aliasOf[root[b]]->delta;
    members[root[b]].push_back(b);
  }

  itemOf.assign(count, -1);
  for (int r = 0; r < count; ++r) {
    std::vector<int> &own = members[r];
    if (own.empty())
      continue;
    std::sort(own.begin(), own.end(),
              [&](int a, int b) { return std::pair(delta[a], a) < std::pair(delta[b], b); });
    int64_t start = delta[own.front()];
    Item item;
    item.life = buffers[r].life;
    item.regions = allowedRegions(problem, buffers[r]);
    item.members = static_cast<int>(own.size());
    for (int b : own) {
      const Buffer &buffer = buffers[b];
      itemOf[b] = static_cast<int>(items.size());
      delta[b] -= start;
      item.size = std::max(item.size, delta[b] + buffer.size);
      if (buffer.align > item.align) {
        item.align = buffer.align;
        item.residue = modulo(-delta[b], item.align);
      }
      if (buffer.fixedOffset)
        item.fixed = *buffer.fixedOffset - delta[b];
      if (b != r && (!buffer.regions.empty() || buffer.fixedRegion))
        std::erase_if(item.regions, [&, allowed = allowedRegions(problem, buffer)](int region) {
          return std::find(allowed.begin(), allowed.end(), region) == allowed.end();
        });
      item.life.first = std::min(item.life.first, buffer.life.first);
      item.life.last = std::max(item.life.last, buffer.life.last);
    }
    faithful = faithful && isCovered(problem, item, own, delta);
    items.push_back(item);
  }
}

Model::Model(const Problem &problem) {
  const auto &buffers = problem.buffers;
  makeItems(problem);

  std::map<std::pair<int, int>, int> ruleOf;
  for (size_t i = 0; i < problem.mayOverlap.size(); ++i) {
    const MayOverlap &may = problem.mayOverlap[i];
    int input = itemOf[may.input], output = itemOf[may.output];
    int64_t shift = delta[may.input] - delta[may.output];
    int64_t step = buffers[may.input].life.last;
    // Only whole items overlap, and one of two only as input.
    bool whole = buffers[may.input].size == items[input].size &&
                 buffers[may.output].size == items[output].size && step == items[input].life.last &&
                 buffers[may.output].life.first == items[output].life.first;
    if (input == output || !whole || ruleOf.count({output, input})) {
      faithful = false;
      continue;
    }
    auto [entry, fresh] = ruleOf.try_emplace({input, output}, static_cast<int>(rules.size()));
    if (fresh)
      rules.push_back({input, output, step, {}, {}});
    MayOverlap between = may;
    if (between.ascending)
      *between.ascending -= shift;
    if (between.descending)
      *between.descending += shift;
    between.phase -= shift;
    rules[entry->second].alternatives.push_back(between);
    rules[entry->second].sources.push_back(static_cast<int>(i));
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
      if (found == ruleOf.end())
        found = ruleOf.find({other, item});
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
    if (!partner.emplace(rule.output, r).second)
      return false;
    can[r] = {rule.alternativeAt(Overlap::ascending, in - out) >= 0,
              rule.alternativeAt(Overlap::descending, out - in) >= 0};
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
