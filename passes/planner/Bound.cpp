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

int64_t lowerBound(const Problem &problem) {
  const auto &buffers = problem.buffers;
  std::vector<int> root(buffers.size());
  std::vector<int64_t> inRoot(buffers.size(), 0);
  std::vector<const MustAlias *> aliasOf(buffers.size(), nullptr);
  std::vector<char> isRoot(buffers.size(), 0); // of others
  for (const MustAlias &alias : problem.mustAlias) {
    aliasOf[alias.b] = &alias;
    isRoot[alias.a] = 1;
  }
  for (size_t b = 0; b < buffers.size(); ++b)
    for (root[b] = static_cast<int>(b); aliasOf[root[b]]; root[b] = aliasOf[root[b]]->a)
      inRoot[b] += aliasOf[root[b]]->delta;

  std::map<int, std::vector<size_t>> rulesOfOutput;
  for (size_t r = 0; r < problem.mayOverlap.size(); ++r)
    rulesOfOutput[root[problem.mayOverlap[r].output]].push_back(r);

  // Live bytes change only where something is born or dies; a step where
  // something is born dominates those after it until the next birth.
  std::vector<int64_t> steps;
  int64_t bound = 0;
  for (const Buffer &buffer : buffers) {
    steps.push_back(buffer.life.first);
    bound = std::max(bound, buffer.size + buffer.fixedOffset.value_or(0));
  }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());

  std::vector<int> byBirth(buffers.size());
  for (size_t b = 0; b < buffers.size(); ++b)
    byBirth[b] = static_cast<int>(b);
  std::sort(byBirth.begin(), byBirth.end(),
            [&](int a, int b) { return buffers[a].life.first < buffers[b].life.first; });

  std::vector<int> alive;
  size_t next = 0;
  for (int64_t step : steps) {
    std::erase_if(alive, [&](int b) { return buffers[b].life.last < step; });
    for (; next < byBirth.size() && buffers[byBirth[next]].life.first == step; ++next)
      alive.push_back(byBirth[next]);
    // Of buffers in one place count the union.
    std::map<int, std::vector<std::pair<int64_t, int64_t>>> ranges;
    for (int b : alive)
      ranges[root[b]].push_back({inRoot[b], inRoot[b] + buffers[b].size});
    std::map<int, int64_t> bytes;
    for (auto &[place, list] : ranges) {
      std::sort(list.begin(), list.end());
      int64_t end = list[0].first;
      for (auto [from, to] : list) {
        bytes[place] += std::max<int64_t>(0, to - std::max(from, end));
        end = std::max(end, to);
      }
    }
    int64_t unit = kMaxMultiple;
    for (int b : alive)
      unit = std::min(unit,
                      ranges[root[b]].size() > 1 || aliasOf[b] || isRoot[b] ? 1 : buffers[b].align);
    auto roundUp = [&](int64_t size) { return (size + unit - 1) / unit * unit; };
    int64_t sum = 0, blocks = 0, free = 0;
    for (auto [place, size] : bytes) {
      sum += size;
      blocks += roundUp(size);
      free = std::max(free, roundUp(size) - size);
      int64_t saved = 0, savedBlocks = 0;
      if (auto rules = rulesOfOutput.find(place); rules != rulesOfOutput.end())
        for (size_t r : rules->second)
          if (auto input = bytes.find(root[problem.mayOverlap[r].input]); input != bytes.end()) {
            const MayOverlap &may = problem.mayOverlap[r];
            int64_t in = buffers[may.input].size, out = buffers[may.output].size;
            saved =
                std::max(saved, std::min({mostShared(may, in, out, unit), input->second, size}));
            savedBlocks =
                std::max(savedBlocks, std::min({mostShared(may, roundUp(in), roundUp(out), unit),
                                                roundUp(input->second), roundUp(size)}));
          }
      sum -= saved;
      blocks -= savedBlocks;
    }
    bound = std::max(bound, blocks - free);
    bound = std::max(bound, sum);
  }
  return bound;
}

} // namespace aotc::planner
