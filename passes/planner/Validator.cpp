// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Validator.h"

#include <algorithm>
#include <map>

namespace aotc::planner {
namespace {

constexpr int64_t kMaxBytes = int64_t(1) << 50; ///< of all buffers: 1 PiB

std::string text(int64_t value) { return std::to_string(value); }

bool meet(const Lifetime &a, const Lifetime &b) {
  return std::max(a.first, b.first) <= std::min(a.last, b.last);
}

/// Follows must-alias; the buffer itself comes first.
std::vector<int> enclosing(const Problem &problem, int buffer) {
  std::vector<int> chain = {buffer};
  for (bool more = true; more;) {
    more = false;
    for (const MustAlias &alias : problem.mustAlias)
      if (alias.b == chain.back()) {
        chain.push_back(alias.a);
        more = true;
        break;
      }
  }
  return chain;
}

} // namespace

std::vector<std::string> checkProblem(const Problem &problem) {
  std::vector<std::string> errors;
  int count = static_cast<int>(problem.buffers.size());
  int regions = static_cast<int>(problem.regions.size());
  auto isRegion = [&](int r) { return r >= 0 && r < regions; };
  auto isBuffer = [&](int b) { return b >= 0 && b < count; };
  if (regions == 0)
    errors.push_back("there is no region");
  int64_t total = 0;
  for (const Buffer &b : problem.buffers) {
    std::string who = "buffer '" + b.name + "': ";
    if (b.size <= 0 || b.size > kMaxBytes || (total += b.size) > kMaxBytes)
      errors.push_back(who + "size " + text(b.size) + " is not positive, or the sum is over 2^50");
    total = std::clamp<int64_t>(total, 0, kMaxBytes);
    if (b.align <= 0 || b.align > (int64_t(1) << 30) || (b.align & (b.align - 1)))
      errors.push_back(who + "alignment " + text(b.align) + " is not a power of two up to 2^30");
    constexpr int64_t far = int64_t(1) << 60;
    if (b.life.first > b.life.last || b.life.first < -far || b.life.last > far)
      errors.push_back(who + "lives from step " + text(b.life.first) + " to " + text(b.life.last));
    if (b.fixedOffset && (*b.fixedOffset < 0 || *b.fixedOffset > kMaxBytes))
      errors.push_back(who + "fixed offset " + text(*b.fixedOffset) + " is out of range");
    if ((b.fixedRegion && !isRegion(*b.fixedRegion)) ||
        !std::all_of(b.regions.begin(), b.regions.end(), isRegion))
      errors.push_back(who + "names a region that does not exist");
  }
  std::vector<int> outer(count, -1);
  std::vector<int64_t> inOuter(count, 0);
  for (const MustAlias &alias : problem.mustAlias) {
    if (!isBuffer(alias.a) || !isBuffer(alias.b) || alias.a == alias.b) {
      errors.push_back("must-alias names a buffer that does not exist, or itself");
      continue;
    }
    const Buffer &a = problem.buffers[alias.a], &b = problem.buffers[alias.b];
    if (alias.delta > a.size || alias.delta < -b.size)
      errors.push_back("buffer '" + b.name + "' must alias '" + a.name +
                       "', but the two do not meet");
    if (outer[alias.b] != -1)
      errors.push_back("buffer '" + b.name + "' must alias two others");
    outer[alias.b] = alias.a;
    inOuter[alias.b] = alias.delta;
  }
  for (int b = 0; b < count; ++b) {
    int steps = 0;
    for (int at = b; at != -1 && steps <= count; at = outer[at])
      ++steps;
    if (steps > count) {
      errors.push_back("buffer '" + problem.buffers[b].name + "' must alias itself");
      return errors;
    }
  }
  // Those of one place: alignments and fixed offsets must agree with the
  // strictest of each.
  std::map<int, std::pair<int, int64_t>> strictest, pinned; // root -> buffer, place in root
  for (int pass : {0, 1})
    for (int b = 0; b < count; ++b) {
      const Buffer &buffer = problem.buffers[b];
      int root = b;
      int64_t place = 0;
      for (; outer[root] != -1; root = outer[root])
        place += inOuter[root];
      if (pass == 0) {
        auto &most = strictest.try_emplace(root, b, place).first->second;
        if (buffer.align > problem.buffers[most.first].align)
          most = {b, place};
        if (buffer.fixedOffset)
          pinned.try_emplace(root, b, place);
        continue;
      }
      auto [aligned, at] = strictest[root];
      if (buffer.align > 0 && (place - at) % buffer.align)
        errors.push_back("the alignments of buffers '" + buffer.name + "' and '" +
                         problem.buffers[aligned].name + "', which must alias, exclude each other");
      if (auto pin = pinned.find(root);
          buffer.fixedOffset && pin != pinned.end() &&
          *buffer.fixedOffset - place !=
              *problem.buffers[pin->second.first].fixedOffset - pin->second.second)
        errors.push_back("the fixed offsets of buffers '" + buffer.name + "' and '" +
                         problem.buffers[pin->second.first].name +
                         "', which must alias, exclude each other");
    }
  for (const MayOverlap &may : problem.mayOverlap) {
    if (!isBuffer(may.input) || !isBuffer(may.output) || may.input == may.output)
      errors.push_back("may-overlap names a buffer that does not exist, or one twice");
    if (may.multiple < 0 || may.multiple > kMaxMultiple)
      errors.push_back("may-overlap: multiple " + text(may.multiple) + " is not in 0 to 2^20");
    for (auto distance : {may.ascending, may.descending, std::optional(may.phase)})
      if (distance && (*distance > kMaxBytes || *distance < -kMaxBytes))
        errors.push_back("may-overlap: distance " + text(*distance) + " is out of range");
  }
  return errors;
}

std::vector<std::string> checkPlan(const Problem &problem, const Plan &plan) {
  const auto &buffers = problem.buffers;
  if (plan.placements.size() != buffers.size() ||
      plan.overlaps.size() != problem.mayOverlap.size() ||
      plan.heights.size() != problem.regions.size())
    return {"the plan is not of this problem: its lists have other lengths"};

  std::vector<std::string> errors;
  auto quoted = [&](int b) { return "'" + buffers[b].name + "'"; };
  auto begin = [&](int b) { return plan.placements[b].offset; };
  auto end = [&](int b) { return plan.placements[b].offset + buffers[b].size; };
  auto share = [&](int a, int b) {
    return plan.placements[a].region == plan.placements[b].region &&
           meet(buffers[a].life, buffers[b].life) && begin(a) < end(b) && begin(b) < end(a);
  };

  std::vector<int64_t> tops(problem.regions.size(), 0);
  int count = static_cast<int>(buffers.size());
  for (int b = 0; b < count; ++b) {
    const Buffer &buffer = buffers[b];
    int region = plan.placements[b].region;
    if (region < 0 || region >= static_cast<int>(tops.size()))
      return {quoted(b) + " is in a region that does not exist"};
    if (begin(b) < 0 || begin(b) % buffer.align)
      errors.push_back(quoted(b) + " at " + text(begin(b)) + " is not aligned to " +
                       text(buffer.align));
    if (buffer.fixedOffset && begin(b) != *buffer.fixedOffset)
      errors.push_back(quoted(b) + " is not at its fixed offset " + text(*buffer.fixedOffset));
    bool allowed =
        buffer.regions.empty() || std::count(buffer.regions.begin(), buffer.regions.end(), region);
    if (!allowed || (buffer.fixedRegion && region != *buffer.fixedRegion))
      errors.push_back(quoted(b) + " is not allowed in region " + problem.regions[region].name);
    tops[region] = std::max(tops[region], end(b));
  }
  int64_t total = 0;
  for (size_t r = 0; r < tops.size(); ++r) {
    total += tops[r];
    const Region &region = problem.regions[r];
    if (tops[r] != plan.heights[r])
      errors.push_back("height of " + region.name + " is " + text(tops[r]) + ", not " +
                       text(plan.heights[r]));
    if (region.capacity && tops[r] > *region.capacity)
      errors.push_back(region.name + " needs " + text(tops[r]) + " bytes but has " +
                       text(*region.capacity));
  }
  if (plan.bound > total || (plan.optimal && plan.bound != total))
    errors.push_back("bound " + text(plan.bound) + " contradicts the height " + text(total));

  for (const MustAlias &alias : problem.mustAlias)
    if (plan.placements[alias.a].region != plan.placements[alias.b].region ||
        begin(alias.b) != begin(alias.a) + alias.delta)
      errors.push_back(quoted(alias.b) + " is not " + text(alias.delta) + " bytes into " +
                       quoted(alias.a));

  // The overlaps used: distances, one input per output, one way per step.
  std::map<int, int> inputOf;
  std::map<int64_t, Overlap> wayOf;
  for (size_t r = 0; r < plan.overlaps.size(); ++r) {
    const MayOverlap &may = problem.mayOverlap[r];
    Overlap way = plan.overlaps[r];
    if (way == Overlap::none)
      continue;
    auto needed = way == Overlap::ascending ? may.ascending : may.descending;
    int64_t apart = begin(may.input) - begin(may.output);
    int64_t distance = way == Overlap::ascending ? apart : -apart;
    std::string pair = quoted(may.output) + " over " + quoted(may.input);
    int64_t over = apart - may.phase;
    if (!needed || distance < *needed || (may.multiple ? over % may.multiple : over) != 0)
      errors.push_back(pair + " at distance " + text(distance) + " is not allowed");
    if (!inputOf.emplace(may.output, may.input).second)
      errors.push_back(quoted(may.output) + " shares with two inputs");
    if (wayOf.emplace(buffers[may.input].life.last, way).first->second != way)
      errors.push_back(pair + " needs the other direction than a rule of the same step");
  }

  std::vector<std::vector<int>> chains;
  for (int b = 0; b < count; ++b)
    chains.push_back(problem.mustAlias.empty() ? std::vector<int>{b} : enclosing(problem, b));
  auto within = [&](int b, int outer) {
    return std::count(chains[b].begin(), chains[b].end(), outer) && begin(outer) <= begin(b) &&
           end(b) <= end(outer);
  };
  // A view must be dead as soon as its input, and not be born before its output.
  auto hands = [&](int from, int to, const MayOverlap &may) {
    return within(from, may.input) && within(to, may.output) &&
           buffers[from].life.last <= buffers[may.input].life.last &&
           buffers[to].life.first >= buffers[may.output].life.first;
  };
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      if (!share(a, b) || chains[a].back() == chains[b].back())
        continue;
      bool legal = false;
      for (size_t r = 0; r < plan.overlaps.size() && !legal; ++r) {
        const MayOverlap &may = problem.mayOverlap[r];
        legal = plan.overlaps[r] != Overlap::none && (hands(a, b, may) || hands(b, a, may));
      }
      if (!legal)
        errors.push_back(quoted(a) + " [" + text(begin(a)) + ", " + text(end(a)) + ") and " +
                         quoted(b) + " [" + text(begin(b)) + ", " + text(end(b)) +
                         ") are live together and share bytes");
    }
  return errors;
}

} // namespace aotc::planner
