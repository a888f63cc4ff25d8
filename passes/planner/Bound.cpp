// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bound. At one step the arena holds at least the bytes of the union of
// all live buffers, and the union has at least the sum of the sizes less the
// sum of the pairwise intersections (Bonferroni). An output shares with at most
// one input, so what the best of its rules saves is the most to take off.
// If all that is live is aligned, the same counts in blocks of the least
// alignment: whoever has the last block may leave the end of it free.
#include "passes/planner/Model.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace aotc::planner {

int64_t mostShared(const MayOverlap &rule, int64_t input, int64_t output) {
  int64_t shared = 0;
  for (Overlap way : {Overlap::ascending, Overlap::descending}) {
    // With the two starts d bytes apart the lower one covers d bytes alone.
    int64_t below = way == Overlap::ascending ? output : input;
    int64_t above = way == Overlap::ascending ? input : output;
    if (auto apart = allowedFrom(rule, way, 0))
      shared = std::max(shared, std::min(above, below - *apart));
    if (auto apart = allowedUpTo(rule, way, 0))
      shared = std::max(shared, std::min(below, above + *apart));
  }
  return shared;
}

/// The same if both stand at multiples of `unit`, sizes rounded up to it.
static int64_t mostShared(const MayOverlap &rule, int64_t input, int64_t output, int64_t unit) {
  if (std::lcm(rule.multiple, unit) > kMaxMultiple)
    return mostShared(rule, input, output);
  MayOverlap aligned = rule;
  aligned.multiple = unit;
  aligned.phase = 0;
  auto allowed = both(rule, aligned);
  return allowed ? mostShared(*allowed, input, output) : 0;
}

namespace {

/// What must be in memory while given buffers live.
class LiveBound {
public:
  explicit LiveBound(const Problem &problem);

  /// In bytes, or in whole blocks of the least alignment, which may be more.
  int64_t of(const std::vector<int> &alive) const {
    const Sizes sizes = sizesOf(alive);
    const int64_t unit = unitOf(alive);
    return std::max(inBlocks(sizes, 1, unit), inBlocks(sizes, unit, unit));
  }

private:
  using Sizes = std::map<int, int64_t>; ///< by root: bytes of the union of all in its place

  /// Buffers that must alias lie in one place, which the outermost, the root, names.
  struct Place {
    int root = 0;
    int64_t at = 0; ///< in the root
    bool common = false;
  };

  Sizes sizesOf(const std::vector<int> &alive) const;
  int64_t unitOf(const std::vector<int> &alive) const;
  int64_t inBlocks(const Sizes &sizes, int64_t block, int64_t unit) const;

  const Problem &problem;
  std::vector<Place> places;                     ///< by buffer
  std::map<int, std::vector<int>> rulesOfOutput; ///< by root
};

LiveBound::LiveBound(const Problem &problem) : problem(problem), places(problem.buffers.size()) {
  std::vector<const MustAlias *> aliasOf(places.size(), nullptr);
  for (const MustAlias &alias : problem.mustAlias) {
    aliasOf[alias.b] = &alias;
    places[alias.a].common = places[alias.b].common = true;
  }
  for (int b = 0; b < static_cast<int>(places.size()); ++b) {
    Place &place = places[b];
    for (place.root = b; const MustAlias *alias = aliasOf[place.root]; place.root = alias->a)
      place.at += alias->delta;
  }
  for (int r = 0; r < static_cast<int>(problem.mayOverlap.size()); ++r)
    rulesOfOutput[places[problem.mayOverlap[r].output].root].push_back(r);
}

LiveBound::Sizes LiveBound::sizesOf(const std::vector<int> &alive) const {
  std::map<int, std::vector<std::pair<int64_t, int64_t>>> ranges;
  for (int b : alive)
    ranges[places[b].root].push_back({places[b].at, places[b].at + problem.buffers[b].size});
  Sizes sizes;
  for (auto &[root, list] : ranges) {
    std::sort(list.begin(), list.end());
    int64_t end = list[0].first;
    for (auto [from, to] : list) {
      sizes[root] += std::max<int64_t>(0, to - std::max(from, end));
      end = std::max(end, to);
    }
  }
  return sizes;
}

/// Every live place starts at a multiple of this.
int64_t LiveBound::unitOf(const std::vector<int> &alive) const {
  int64_t unit = kMaxMultiple;
  for (int b : alive)
    unit = std::min(unit, places[b].common ? 1 : problem.buffers[b].align);
  return unit;
}

/// Sizes rounded up to `block`, 1 or the `unit` that all starts are multiples of.
int64_t LiveBound::inBlocks(const Sizes &sizes, int64_t block, int64_t unit) const {
  auto roundUp = [&](int64_t size) { return (size + block - 1) / block * block; };
  int64_t sum = 0, free = 0;
  for (auto [place, size] : sizes) {
    int64_t saved = 0;
    if (auto rules = rulesOfOutput.find(place); rules != rulesOfOutput.end())
      for (int r : rules->second) {
        const MayOverlap &may = problem.mayOverlap[r];
        auto input = sizes.find(places[may.input].root);
        if (input == sizes.end())
          continue;
        int64_t shared = mostShared(may, roundUp(problem.buffers[may.input].size),
                                    roundUp(problem.buffers[may.output].size), unit);
        saved = std::max(saved, std::min({shared, roundUp(input->second), roundUp(size)}));
      }
    sum += roundUp(size) - saved;
    free = std::max(free, roundUp(size) - size);
  }
  return sum - free;
}

} // namespace

int64_t lowerBound(const Problem &problem) {
  const auto &buffers = problem.buffers;
  int64_t bound = 0;
  for (const Buffer &buffer : buffers)
    bound = std::max(bound, buffer.size + buffer.fixedOffset.value_or(0));

  // Live bytes change only where something is born or dies; a step where
  // something is born dominates those after it until the next birth.
  std::vector<int> byBirth(buffers.size());
  std::iota(byBirth.begin(), byBirth.end(), 0);
  std::sort(byBirth.begin(), byBirth.end(),
            [&](int a, int b) { return buffers[a].life.first < buffers[b].life.first; });
  const LiveBound liveBound(problem);
  std::vector<int> alive;
  for (size_t next = 0; next < byBirth.size();) {
    const int64_t step = buffers[byBirth[next]].life.first;
    std::erase_if(alive, [&](int b) { return buffers[b].life.last < step; });
    for (; next < byBirth.size() && buffers[byBirth[next]].life.first == step; ++next)
      alive.push_back(byBirth[next]);
    bound = std::max(bound, liveBound.of(alive));
  }
  return bound;
}

} // namespace aotc::planner
