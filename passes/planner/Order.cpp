// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search runs over sets of nodes already run: what is live depends on the
// set alone, not on the order within it. Dijkstra's algorithm with the running
// maximum as the distance finds the least peak. Two things keep it small, both
// lossless: a node that every other one must precede or follow cuts the
// problem in two, and a node that frees at least what it allocates, below the
// peak so far, runs at once. (Moved to the front, it replaces what it frees by
// what it allocates in all steps it overtakes. A step that it overtakes can
// lose its saving only where both touch its output; but then that output is
// among what was allocated, and at least as much was freed.)
#include "passes/planner/Order.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace aotc::planner {
namespace {

using Words = std::vector<uint64_t>;

bool test(const Words &set, int i) { return set[i / 64] >> (i % 64) & 1; }
void insert(Words &set, int i) { set[i / 64] |= uint64_t(1) << (i % 64); }
bool disjoint(const Words &a, const Words &b) {
  for (size_t w = 0; w < a.size(); ++w)
    if (a[w] & b[w])
      return false;
  return true;
}
bool contains(const Words &set, const Words &part) {
  for (size_t w = 0; w < set.size(); ++w)
    if (part[w] & ~set[w])
      return false;
  return true;
}
int size(const Words &set) {
  int count = 0;
  for (uint64_t word : set)
    count += __builtin_popcountll(word);
  return count;
}

struct Hash {
  size_t operator()(const Words &set) const {
    uint64_t hash = 1469598103934665603u;
    for (uint64_t word : set)
      hash = (hash ^ word) * 1099511628211u, hash ^= hash >> 29;
    return hash;
  }
};

/// What one more node does to a set.
struct Step {
  int64_t footprint, live; ///< while it runs; afterwards
};

/// The problem with sets as bits.
class Graph {
public:
  explicit Graph(const OrderProblem &problem)
      : problem(problem), words((problem.nodes.size() + 63) / 64),
        before(problem.nodes.size(), Words(words)), users(problem.buffers.size(), Words(words)) {
    for (size_t n = 0; n < problem.nodes.size(); ++n) {
      for (int p : problem.nodes[n].after)
        insert(before[n], p);
      for (int b : problem.nodes[n].buffers)
        insert(users[b], static_cast<int>(n));
    }
  }

  const OrderProblem &problem;
  size_t words;
  std::vector<Words> before; ///< direct predecessors of each node
  std::vector<Words> users;  ///< nodes that touch each buffer

  int count() const { return static_cast<int>(problem.nodes.size()); }
  bool isReady(const Words &run, int node) const {
    return !test(run, node) && contains(run, before[node]);
  }
  int64_t liveAtStart() const {
    int64_t live = 0;
    for (const auto &buffer : problem.buffers)
      live += buffer.fromStart ? buffer.bytes : 0;
    return live;
  }
  Step step(const Words &run, int64_t live, int node) const {
    int64_t freed = 0;
    const OrderProblem::Node &n = problem.nodes[node];
    for (int b : n.buffers) {
      live += isBorn(run, b) ? problem.buffers[b].bytes : 0;
      freed += dies(run, node, b) ? problem.buffers[b].bytes : 0;
    }
    int64_t saved = 0;
    for (const auto &saving : n.savings)
      if (saving.bytes > saved && isBorn(run, saving.output) && dies(run, node, saving.input))
        saved = saving.bytes;
    return {live - saved, live - freed};
  }
  /// No order can spare more while this node runs.
  int64_t leastFootprint(int node) const {
    int64_t bytes = 0, saved = 0;
    for (int b : problem.nodes[node].buffers)
      bytes += problem.buffers[b].bytes;
    for (const auto &saving : problem.nodes[node].savings)
      saved = std::max(saved, saving.bytes);
    return bytes - saved;
  }

private:
  bool isBorn(const Words &run, int b) const {
    return !problem.buffers[b].fromStart && disjoint(users[b], run);
  }
  /// Does `node` use it last?
  bool dies(const Words &run, int node, int b) const {
    if (problem.buffers[b].toEnd)
      return false;
    for (size_t w = 0; w < words; ++w) {
      uint64_t left = users[b][w] & ~run[w];
      if (static_cast<size_t>(node) / 64 == w)
        left &= ~(uint64_t(1) << (node % 64));
      if (left)
        return false;
    }
    return true;
  }
};

/// Nodes from a set that runs first to one that holds them too.
struct Part {
  Words start;
  int64_t live;           ///< when it starts
  std::vector<int> given; ///< its nodes, in the given order
  int64_t givenPeak = 0;
};

struct PartResult {
  std::vector<int> order;
  int64_t peak;
  bool proved;
};

struct State {
  const Words *set;
  int64_t peak, live;
  int parent, node;
};

std::vector<int> pathTo(const std::vector<State> &states, int state) {
  std::vector<int> order;
  for (; states[state].parent >= 0; state = states[state].parent)
    order.push_back(states[state].node);
  std::reverse(order.begin(), order.end());
  return order;
}

/// The nodes worth trying next: one that runs at once, or all that are ready.
std::vector<std::pair<int, Step>> choices(const Graph &graph, const Part &part, const Words &run,
                                          int64_t live, int64_t peak) {
  std::vector<std::pair<int, Step>> result;
  for (int node : part.given)
    if (graph.isReady(run, node)) {
      Step step = graph.step(run, live, node);
      if (step.footprint <= peak && step.live <= live)
        return {{node, step}};
      result.push_back({node, step});
    }
  return result;
}

/// A visit looks at every node of the part: large parts get fewer visits.
constexpr int64_t kNodesPerState = 500;
constexpr int64_t kMaxStateBytes = int64_t(1) << 29;

/// Looks for orders with a peak below that of `known`, the least first. At the
/// limit, and if there are none, `known` stands; in the second case proved.
PartResult searchExactly(const Graph &graph, const Part &part, int64_t floor,
                         const OrderOptions &options, PartResult best, int64_t &visited) {
  int whole = size(part.start) + static_cast<int>(part.given.size());
  int64_t nodes = static_cast<int64_t>(part.given.size());
  int64_t limit = std::min(options.stateLimit, options.stateLimit * kNodesPerState / nodes);
  // Sets reached but not visited yet take memory, too.
  int64_t bytes = static_cast<int64_t>(sizeof(State) + part.start.size() * sizeof(part.start[0]));
  int64_t reachable = std::min(options.stateLimit * 8, kMaxStateBytes / (bytes + 64));
  std::unordered_map<Words, int, Hash> known;
  std::vector<State> states;
  // Least peak first, then most nodes run, then oldest.
  using Entry = std::tuple<int64_t, int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  auto reach = [&](const Words &set, int64_t peak, int64_t live, int parent, int node) {
    auto [entry, fresh] = known.try_emplace(set, static_cast<int>(states.size()));
    if (fresh)
      states.push_back({&entry->first, peak, live, parent, node});
    else if (peak < states[entry->second].peak)
      states[entry->second] = {&entry->first, peak, live, parent, node};
    else
      return;
    queue.push({peak, whole - size(set), entry->second});
  };
  reach(part.start, std::max(part.live, floor), part.live, -1, -1);
  while (!queue.empty()) {
    auto [peak, left, index] = queue.top();
    queue.pop();
    State state = states[index];
    if (state.peak != peak)
      continue; // reached better since
    if (left == 0) {
      return {pathTo(states, index), peak, true};
    }
    if (++visited > limit || static_cast<int64_t>(states.size()) > reachable)
      return best;
    if (options.progress && visited % 256 == 0)
      options.progress({visited, best.peak, peak});
    for (auto [node, step] : choices(graph, part, *state.set, state.live, peak)) {
      int64_t next = std::max(peak, step.footprint);
      if (next >= best.peak)
        continue;
      Words set = *state.set;
      insert(set, node);
      reach(set, next, step.live, index, node);
    }
  }
  best.proved = true;
  return best;
}

constexpr int64_t kMaxBeamLooks = 100'000'000; ///< at nodes, by the beam search

/// The given order or a better one, fast; never claims a proof.
PartResult searchBeam(const Graph &graph, const Part &part, int64_t floor, int64_t width,
                      int64_t &visited) {
  PartResult result{part.given, part.givenPeak, false};
  // One set per step must be affordable; then as many as are.
  int64_t nodes = static_cast<int64_t>(part.given.size());
  width = std::min(width, kMaxBeamLooks / nodes / nodes);
  if (width == 0)
    return result;
  struct Candidate {
    Words set;
    int64_t peak, live;
    int parent, node;
  };
  std::vector<std::vector<Candidate>> levels = {
      {{part.start, std::max(part.live, floor), part.live, -1, -1}}};
  for (size_t depth = 0; depth < part.given.size(); ++depth) {
    std::vector<Candidate> next;
    std::unordered_map<Words, size_t, Hash> known;
    for (size_t i = 0; i < levels.back().size(); ++i) {
      const Candidate &from = levels.back()[i];
      ++visited;
      for (auto [node, step] : choices(graph, part, from.set, from.live, from.peak)) {
        Candidate to{from.set, std::max(from.peak, step.footprint), step.live, static_cast<int>(i),
                     node};
        if (to.peak >= part.givenPeak)
          continue;
        insert(to.set, node);
        auto [entry, fresh] = known.try_emplace(to.set, next.size());
        if (fresh)
          next.push_back(to);
        else if (to.peak < next[entry->second].peak)
          next[entry->second] = to;
      }
    }
    if (next.empty())
      return result;
    std::sort(next.begin(), next.end(), [](const Candidate &a, const Candidate &b) {
      return std::tie(a.peak, a.live, a.parent, a.node) <
             std::tie(b.peak, b.live, b.parent, b.node);
    });
    if (next.size() > static_cast<size_t>(width))
      next.resize(width);
    levels.push_back(std::move(next));
  }
  result.peak = levels.back().front().peak;
  result.order.clear();
  for (int level = static_cast<int>(levels.size()) - 1, at = 0; level > 0; --level) {
    result.order.push_back(levels[level][at].node);
    at = levels[level][at].parent;
  }
  std::reverse(result.order.begin(), result.order.end());
  return result;
}

/// Cut behind every node that each other one must precede or follow.
std::vector<Part> divide(const Graph &graph) {
  int n = graph.count();
  std::vector<Words> ancestors = graph.before;
  std::vector<int> related(n, 0);
  for (int node = 0; node < n; ++node) {
    for (int p : graph.problem.nodes[node].after)
      for (size_t w = 0; w < graph.words; ++w)
        ancestors[node][w] |= ancestors[p][w];
    related[node] += size(ancestors[node]);
    for (int other = 0; other < node; ++other)
      related[other] += test(ancestors[node], other);
  }
  std::vector<Part> parts;
  Words run(graph.words);
  int64_t live = graph.liveAtStart();
  Part part{run, live, {}, live};
  for (int node = 0; node < n; ++node) {
    Step step = graph.step(run, live, node);
    insert(run, node);
    live = step.live;
    part.given.push_back(node);
    part.givenPeak = std::max(part.givenPeak, step.footprint);
    // All that must precede it do so in the given order too, and no other can.
    if (related[node] == n - 1 || node == n - 1) {
      parts.push_back(std::move(part));
      part = {run, live, {}, live};
    }
  }
  return parts;
}

} // namespace

std::vector<int64_t> footprints(const OrderProblem &problem, const std::vector<int> &order) {
  Graph graph(problem);
  Words run(graph.words);
  int64_t live = graph.liveAtStart();
  std::vector<int64_t> result;
  for (int node : order) {
    Step step = graph.step(run, live, node);
    insert(run, node);
    live = step.live;
    result.push_back(step.footprint);
  }
  return result;
}

int64_t peakOf(const OrderProblem &problem, const std::vector<int> &order) {
  int64_t peak = Graph(problem).liveAtStart();
  for (int64_t bytes : footprints(problem, order))
    peak = std::max(peak, bytes);
  return peak;
}

Order findOrder(const OrderProblem &problem, const OrderOptions &options) {
  Graph graph(problem);
  Order result;
  std::vector<Part> parts = divide(graph);
  // What no order can avoid; a part need not be better than that.
  int64_t floor = graph.liveAtStart();
  for (int node = 0; node < graph.count(); ++node)
    floor = std::max(floor, graph.leastFootprint(node));
  result.givenPeak = floor;
  for (const Part &part : parts)
    result.givenPeak = std::max(result.givenPeak, part.givenPeak);

  result.peak = floor;
  std::vector<std::vector<int>> orders;
  for (size_t p = 0; p < parts.size(); ++p) {
    PartResult best{parts[p].given, parts[p].givenPeak, true};
    if (best.peak > floor) {
      int64_t visited = 0;
      best = searchBeam(graph, parts[p], floor, options.beamWidth, visited);
      best.proved = best.peak <= floor;
      if (!best.proved)
        best = searchExactly(graph, parts[p], floor, options, std::move(best), visited);
      result.states += visited;
    }
    // The least peak of a proved part no order avoids.
    if (best.proved)
      floor = std::max(floor, best.peak);
    orders.push_back(std::move(best.order));
    result.peak = std::max(result.peak, best.peak);
  }
  result.proved = result.peak == floor;
  for (size_t p = 0; p < parts.size(); ++p) {
    // Leave alone what gains nothing.
    const auto &order = parts[p].givenPeak <= result.peak ? parts[p].given : orders[p];
    result.nodes.insert(result.nodes.end(), order.begin(), order.end());
  }
  return result;
}

std::vector<int> shuffledOrder(const OrderProblem &problem, uint64_t seed) {
  Graph graph(problem);
  Words run(graph.words);
  std::vector<int> order;
  for (int i = 0; i < graph.count(); ++i) {
    std::vector<int> ready;
    for (int node = 0; node < graph.count(); ++node)
      if (graph.isReady(run, node))
        ready.push_back(node);
    // SplitMix64.
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    int chosen = ready[(z ^ (z >> 31)) % ready.size()];
    insert(run, chosen);
    order.push_back(chosen);
  }
  return order;
}

} // namespace aotc::planner
