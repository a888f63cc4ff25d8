// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact search in one region. For a height H every item has an interval of
// possible offsets, and every pair of neighbours two sides: `a` stands so far
// below `b`, or the other way round. Where one side has become impossible the
// other is decided and tightens the intervals; where both are, the branch is
// dead. If all pairs hold with every item at its lowest offset, that is a plan.
// Distances may be negative, so overlap needs nothing special; only that an
// output shares with one input, that a step runs one way, and that a distance is
// not between two that are allowed, is checked at the end and branched on.
#include "passes/planner/Model.h"

#include <algorithm>
#include <functional>
#include <map>

namespace aotc::planner {
namespace {

/// One height may use this part of the limits.
constexpr int64_t kShares = 4;

constexpr int64_t kFar = int64_t(1) << 60;

constexpr int kMaxDepth = 4000; // of recursion: 0.5 KB each

/// Which ways a rule may still be used.
struct Ways {
  bool ascending = false, descending = false;
};

enum Side : int8_t { open, firstBelow, secondBelow };

struct Pair {
  int first, second, rule;
};

class Search {
public:
  Search(const Model &model, const PlannerOptions &options, int64_t &nodes);

  /// Looks for a plan of at most that height.
  Answer run(int64_t height, Layout &layout);
  std::function<void()> tick; ///< called every 65,536 visits, if there is one

private:
  /// How far above `pair.first` the second must start if the first is below,
  /// and the other way round.
  int64_t distance(int pair, Side side) const;
  /// The way in which a pair shares on that side; none without a rule for it.
  Overlap wayOf(const Pair &pair, Side side) const;
  bool holdsAt(const Pair &pair, Side side, int64_t apart) const;
  bool holds(const Pair &pair) const;
  bool raise(int item, int64_t low);
  bool lower(int item, int64_t high);
  bool decide(int pair, Side side);
  bool propagate();
  bool visit(int pair);
  void forbid(int rule, Overlap way);
  void undoTo(size_t mark);
  Answer branch(int depth);
  Answer tryChild(int depth, const std::function<bool()> &change);
  Answer branchAroundGap(int depth, int pair);
  Answer finish(int depth);

  const Model &model;
  int64_t &nodes;
  int64_t visits = 0, nodesHere = 0; ///< spent on the present height
  int64_t nodeLimit, visitLimit;     ///< for one height
  std::vector<Pair> pairs;
  std::vector<std::vector<int>> pairsOf, pairsOfRule;
  std::vector<Ways> initialWays;
  std::vector<int64_t> leastUp, leastDown; ///< distances of a rule, if it has the way

  std::vector<int64_t> low, high;
  std::vector<Side> sides;
  std::vector<int64_t> least, most; ///< distance of a pair on its decided side
  std::vector<Ways> ways;
  std::vector<int> queue;
  std::vector<char> queued;
  Layout solution;

  struct Change {
    enum { low, high, side, least, most, ways } kind;
    int index;
    int64_t before;
  };
  std::vector<Change> trail;
};

Search::Search(const Model &model, const PlannerOptions &options, int64_t &nodes)
    : model(model), nodes(nodes), nodeLimit(options.nodeLimit / kShares),
      visitLimit(options.visitLimit / kShares), pairsOf(model.items.size()),
      pairsOfRule(model.rules.size()) {
  for (int a = 0; a < static_cast<int>(model.items.size()); ++a)
    for (const Neighbour &n : model.neighbours[a])
      if (n.other > a) {
        int index = static_cast<int>(pairs.size());
        pairs.push_back({a, n.other, n.rule});
        pairsOf[a].push_back(index);
        pairsOf[n.other].push_back(index);
        if (n.rule >= 0)
          pairsOfRule[n.rule].push_back(index);
      }
  for (const Rule &rule : model.rules) {
    auto leastOf = [&](Overlap way) {
      int64_t result = kFar;
      for (const MayOverlap &may : rule.alternatives)
        result = std::min(result, allowedFrom(may, way, -kFar).value_or(kFar));
      return result;
    };
    leastUp.push_back(leastOf(Overlap::ascending));
    leastDown.push_back(leastOf(Overlap::descending));
    initialWays.push_back({rule.has(Overlap::ascending), rule.has(Overlap::descending)});
  }
}

Overlap Search::wayOf(const Pair &pair, Side side) const {
  if (pair.rule < 0)
    return Overlap::none;
  // The lower one is the input: the kernel runs descending.
  int lower = side == firstBelow ? pair.first : pair.second;
  bool down = lower == model.rules[pair.rule].input;
  bool allowed = down ? ways[pair.rule].descending : ways[pair.rule].ascending;
  return !allowed ? Overlap::none : down ? Overlap::descending : Overlap::ascending;
}

int64_t Search::distance(int index, Side side) const {
  const Pair &pair = pairs[index];
  int64_t apart = model.items[side == firstBelow ? pair.first : pair.second].size;
  if (Overlap way = wayOf(pair, side); way != Overlap::none)
    apart = std::min(apart, (way == Overlap::descending ? leastDown : leastUp)[pair.rule]);
  return sides[index] == side ? std::max(apart, least[index]) : apart;
}

bool Search::holdsAt(const Pair &pair, Side side, int64_t apart) const {
  if (apart >= model.items[side == firstBelow ? pair.first : pair.second].size)
    return true;
  Overlap way = wayOf(pair, side);
  return way != Overlap::none && model.rules[pair.rule].alternativeAt(way, apart) >= 0;
}

bool Search::holds(const Pair &pair) const {
  int64_t apart = low[pair.second] - low[pair.first];
  return holdsAt(pair, firstBelow, apart) || holdsAt(pair, secondBelow, -apart);
}

bool Search::raise(int item, int64_t to) {
  to = model.items[item].alignUp(to);
  if (to <= low[item])
    return true;
  trail.push_back({Change::low, item, low[item]});
  low[item] = to;
  if (!queued[item]) {
    queued[item] = 1;
    queue.push_back(item);
  }
  return to <= high[item];
}

bool Search::lower(int item, int64_t to) {
  to = model.items[item].alignDown(to);
  if (to >= high[item])
    return true;
  trail.push_back({Change::high, item, high[item]});
  high[item] = to;
  if (!queued[item]) {
    queued[item] = 1;
    queue.push_back(item);
  }
  return to >= low[item];
}

bool Search::decide(int pair, Side side) {
  if (sides[pair] != side) {
    trail.push_back({Change::side, pair, sides[pair]});
    sides[pair] = side;
  }
  const Pair &p = pairs[pair];
  int below = side == firstBelow ? p.first : p.second;
  int above = side == firstBelow ? p.second : p.first;
  int64_t apart = distance(pair, side);
  return raise(above, low[below] + apart) && lower(below, high[above] - apart) &&
         raise(below, low[above] - most[pair]) && lower(above, high[below] + most[pair]);
}

bool Search::visit(int pair) {
  if (++visits % 65536 == 0 && tick)
    tick();
  if (sides[pair] != open)
    return decide(pair, sides[pair]);
  const Pair &p = pairs[pair];
  int64_t up = distance(pair, firstBelow), down = distance(pair, secondBelow);
  if (up + down <= 0) // one of the two always holds
    return true;
  bool canUp = low[p.first] + up <= high[p.second];
  bool canDown = low[p.second] + down <= high[p.first];
  if (canUp && canDown)
    return true;
  return (canUp || canDown) && decide(pair, canUp ? firstBelow : secondBelow);
}

bool Search::propagate() {
  bool alive = true;
  for (size_t head = 0; head < queue.size(); ++head) {
    int item = queue[head];
    queued[item] = 0;
    for (int pair : pairsOf[item])
      if (alive && visits < visitLimit)
        alive = visit(pair);
  }
  queue.clear();
  return alive;
}

void Search::forbid(int rule, Overlap way) {
  Ways before = ways[rule];
  trail.push_back({Change::ways, rule, before.ascending * 2 + before.descending});
  if (way != Overlap::descending)
    ways[rule].ascending = false;
  if (way != Overlap::ascending)
    ways[rule].descending = false;
  for (int pair : pairsOfRule[rule])
    for (int item : {pairs[pair].first, pairs[pair].second})
      if (!queued[item]) {
        queued[item] = 1;
        queue.push_back(item);
      }
}

void Search::undoTo(size_t mark) {
  while (trail.size() > mark) {
    Change change = trail.back();
    trail.pop_back();
    switch (change.kind) {
    case Change::low:
      low[change.index] = change.before;
      break;
    case Change::high:
      high[change.index] = change.before;
      break;
    case Change::side:
      sides[change.index] = static_cast<Side>(change.before);
      break;
    case Change::least:
      least[change.index] = change.before;
      break;
    case Change::most:
      most[change.index] = change.before;
      break;
    case Change::ways:
      ways[change.index] = {change.before / 2 == 1, change.before % 2 == 1};
      break;
    }
  }
}

Answer Search::tryChild(int depth, const std::function<bool()> &change) {
  size_t mark = trail.size();
  Answer answer = Answer::none;
  bool alive = change();
  // The queue must be emptied even when the change itself failed.
  if (propagate() && alive)
    answer = branch(depth + 1);
  if (answer != Answer::found)
    undoTo(mark);
  return answer;
}

/// The distance lies between two that the rule allows: one of them, or beyond.
Answer Search::branchAroundGap(int depth, int pair) {
  const Pair &p = pairs[pair];
  Side side = sides[pair];
  int below = side == firstBelow ? p.first : p.second;
  int above = side == firstBelow ? p.second : p.first;
  int64_t apart = low[above] - low[below], under = -kFar, over = model.items[below].size;
  if (Overlap way = wayOf(p, side); way != Overlap::none)
    for (const MayOverlap &may : model.rules[p.rule].alternatives) {
      under = std::max(under, allowedUpTo(may, way, apart).value_or(under));
      over = std::min(over, allowedFrom(may, way, apart).value_or(over));
    }
  auto atMost = [&] {
    trail.push_back({Change::most, pair, most[pair]});
    most[pair] = under;
    return under > -kFar && decide(pair, side);
  };
  auto atLeast = [&] {
    trail.push_back({Change::least, pair, least[pair]});
    least[pair] = over;
    return decide(pair, side);
  };
  bool nearer = apart - under < over - apart;
  Answer answer = nearer ? tryChild(depth, atMost) : tryChild(depth, atLeast);
  if (answer != Answer::none)
    return answer;
  return nearer ? tryChild(depth, atLeast) : tryChild(depth, atMost);
}

/// All pairs are far enough apart with the items at their lowest: a plan, unless
/// rules were used that exclude each other, or a distance is in a gap.
Answer Search::finish(int depth) {
  for (size_t i = 0; i < pairs.size(); ++i)
    if (pairs[i].rule >= 0 && !holds(pairs[i]))
      return branchAroundGap(depth, static_cast<int>(i));
  solution.offsets = low;
  solution.regions.assign(model.items.size(), 0);
  if (settleOverlaps(model, solution))
    return Answer::found;

  // Of two inputs that share with one output, one must not.
  auto shares = [&](const Rule &rule) {
    return low[rule.input] < low[rule.output] + model.items[rule.output].size &&
           low[rule.output] < low[rule.input] + model.items[rule.input].size;
  };
  std::map<int, int> partner;
  std::map<int64_t, std::pair<bool, bool>> atStep;
  for (size_t r = 0; r < model.rules.size(); ++r) {
    const Rule &rule = model.rules[r];
    if (pairsOfRule[r].empty() || !shares(rule))
      continue;
    auto [other, fresh] = partner.emplace(rule.output, r);
    if (!fresh) {
      for (int loser : {static_cast<int>(r), other->second}) {
        Answer answer = tryChild(depth, [&] {
          forbid(loser, Overlap::none);
          return true;
        });
        if (answer != Answer::none)
          return answer;
      }
      return Answer::none;
    }
    int64_t apart = low[rule.input] - low[rule.output];
    bool ascending = ways[r].ascending && rule.alternativeAt(Overlap::ascending, apart) >= 0;
    bool descending = ways[r].descending && rule.alternativeAt(Overlap::descending, -apart) >= 0;
    auto &step = atStep.try_emplace(rule.step, true, true).first->second;
    step.first &= ascending;
    step.second &= descending;
    if (!step.first && !step.second) {
      for (Overlap way : {Overlap::descending, Overlap::ascending}) {
        Answer answer = tryChild(depth, [&] {
          for (size_t q = 0; q < model.rules.size(); ++q)
            if (model.rules[q].step == rule.step)
              forbid(static_cast<int>(q), way);
          return true;
        });
        if (answer != Answer::none)
          return answer;
      }
      return Answer::none;
    }
  }
  return Answer::none;
}

Answer Search::branch(int depth) {
  ++nodes;
  if (++nodesHere > nodeLimit || visits >= visitLimit || depth > kMaxDepth)
    return Answer::gaveUp;

  // The pair in conflict with the least room to move.
  int chosen = -1;
  int64_t leastRoom = 0, upRoom = 0, downRoom = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Pair &p = pairs[i];
    if (sides[i] != open || holds(p))
      continue;
    int index = static_cast<int>(i);
    int64_t up = high[p.second] - low[p.first] - distance(index, firstBelow);
    int64_t down = high[p.first] - low[p.second] - distance(index, secondBelow);
    if (chosen < 0 || up + down < leastRoom) {
      chosen = static_cast<int>(i);
      leastRoom = up + down;
      upRoom = up;
      downRoom = down;
    }
  }
  visits += static_cast<int64_t>(pairs.size()) / 4;
  if (chosen < 0)
    return finish(depth);

  Side better = upRoom >= downRoom ? firstBelow : secondBelow;
  for (Side side : {better, better == firstBelow ? secondBelow : firstBelow}) {
    Answer answer = tryChild(depth, [&] { return decide(chosen, side); });
    if (answer != Answer::none)
      return answer;
  }
  return Answer::none;
}

Answer Search::run(int64_t height, Layout &layout) {
  size_t count = model.items.size();
  visits = nodesHere = 0;
  trail.clear();
  queue.clear();
  low.assign(count, 0);
  high.assign(count, 0);
  sides.assign(pairs.size(), open);
  least.assign(pairs.size(), -kFar);
  most.assign(pairs.size(), kFar);
  ways = initialWays;
  queued.assign(count, 1);
  for (size_t i = 0; i < count; ++i) {
    const Item &item = model.items[i];
    low[i] = item.fixed.value_or(item.alignUp(0));
    high[i] = item.fixed.value_or(item.alignDown(height - item.size));
    if (low[i] > high[i] || low[i] + item.size > height)
      return Answer::none;
    queue.push_back(static_cast<int>(i));
  }
  // Of equal buffers the one with the smaller number stands below.
  auto plain = [&](int i) {
    return !model.items[i].fixed && model.items[i].members == 1 &&
           std::none_of(model.neighbours[i].begin(), model.neighbours[i].end(),
                        [](const Neighbour &n) { return n.rule >= 0; });
  };
  bool alive = true;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Item &a = model.items[pairs[i].first], &b = model.items[pairs[i].second];
    if (a.size == b.size && a.align == b.align && a.life.first == b.life.first &&
        a.life.last == b.life.last && plain(pairs[i].first) && plain(pairs[i].second))
      alive = alive && decide(static_cast<int>(i), firstBelow);
  }
  if (!propagate() || !alive)
    return visits >= visitLimit ? Answer::gaveUp : Answer::none;
  Answer answer = branch(0);
  if (answer == Answer::found)
    layout = solution;
  return answer;
}

} // namespace

void planExactly(const Model &model, const PlannerOptions &options, Layout &best, int64_t &bound,
                 int64_t &nodes) {
  Search search(model, options, nodes);
  int64_t least = bound, most = height(model, best);
  bool proving = model.faithful;
  if (options.progress)
    search.tick = [&] { options.progress({nodes, most, bound}); };
  // The bound first, where most plans are; then by halves.
  int64_t target = least;
  for (int64_t share = 0; least < most && options.nodeLimit > 0;) {
    Layout layout;
    switch (search.run(target, layout)) {
    case Answer::found:
      best = layout;
      most = height(model, layout);
      break;
    case Answer::none:
      least = target + 1;
      if (proving)
        bound = least;
      break;
    case Answer::gaveUp:
      if (++share == kShares)
        return;
      least = target + 1;
      proving = false;
      break;
    }
    target = least + (most - least) / 2;
  }
}

} // namespace aotc::planner
