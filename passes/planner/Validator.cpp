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

class ProblemCheck {
public:
  explicit ProblemCheck(const Problem &problem)
      : problem(problem), count(static_cast<int>(problem.buffers.size())), outer(count, -1),
        inOuter(count, 0) {}

  std::vector<std::string> run() {
    if (problem.regions.empty())
      errors.push_back("there is no region");
    buffers();
    aliases();
    if (cyclic())
      return std::move(errors);
    places();
    overlaps();
    return std::move(errors);
  }

private:
  void buffers();
  void aliases();
  bool cyclic();
  void places();
  void overlaps();

  bool isRegion(int r) const { return r >= 0 && r < static_cast<int>(problem.regions.size()); }
  bool isBuffer(int b) const { return b >= 0 && b < count; }
  std::string quoted(int b) const { return "'" + problem.buffers[b].name + "'"; }

  const Problem &problem;
  const int count;
  std::vector<int> outer;       ///< by buffer: the one it must alias, or -1
  std::vector<int64_t> inOuter; ///< and at which byte of that
  std::vector<std::string> errors;
};

void ProblemCheck::buffers() {
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
        !std::all_of(b.regions.begin(), b.regions.end(), [&](int r) { return isRegion(r); }))
      errors.push_back(who + "names a region that does not exist");
  }
}

void ProblemCheck::aliases() {
  for (const MustAlias &alias : problem.mustAlias) {
    if (!isBuffer(alias.a) || !isBuffer(alias.b) || alias.a == alias.b) {
      errors.push_back("must-alias names a buffer that does not exist, or itself");
      continue;
    }
    if (alias.delta > problem.buffers[alias.a].size || alias.delta < -problem.buffers[alias.b].size)
      errors.push_back("buffer " + quoted(alias.b) + " must alias " + quoted(alias.a) +
                       ", but the two do not meet");
    if (outer[alias.b] != -1)
      errors.push_back("buffer " + quoted(alias.b) + " must alias two others");
    outer[alias.b] = alias.a;
    inOuter[alias.b] = alias.delta;
  }
}

bool ProblemCheck::cyclic() {
  for (int b = 0; b < count; ++b) {
    int steps = 0;
    for (int at = b; at != -1 && steps <= count; at = outer[at])
      ++steps;
    if (steps > count) {
      errors.push_back("buffer " + quoted(b) + " must alias itself");
      return true;
    }
  }
  return false;
}

/// Of buffers in one place alignments and fixed offsets must agree with the
/// strictest of each.
void ProblemCheck::places() {
  struct Place {
    int buffer;
    int64_t at; ///< in the root
  };
  std::map<int, Place> strictest, pinned; // by root
  std::vector<std::pair<int, int64_t>> placeOf;
  for (int b = 0; b < count; ++b) {
    int root = b;
    int64_t at = 0;
    for (; outer[root] != -1; root = outer[root])
      at += inOuter[root];
    placeOf.emplace_back(root, at);
    const Buffer &buffer = problem.buffers[b];
    Place &most = strictest.try_emplace(root, Place{b, at}).first->second;
    if (buffer.align > problem.buffers[most.buffer].align)
      most = {b, at};
    if (buffer.fixedOffset)
      pinned.try_emplace(root, Place{b, at});
  }
  for (int b = 0; b < count; ++b) {
    const Buffer &buffer = problem.buffers[b];
    auto [root, at] = placeOf[b];
    const Place &aligned = strictest.at(root);
    if (buffer.align > 0 && (at - aligned.at) % buffer.align)
      errors.push_back("the alignments of buffers " + quoted(b) + " and " + quoted(aligned.buffer) +
                       ", which must alias, exclude each other");
    if (!buffer.fixedOffset)
      continue;
    const Place &pin = pinned.at(root);
    if (*buffer.fixedOffset - at != *problem.buffers[pin.buffer].fixedOffset - pin.at)
      errors.push_back("the fixed offsets of buffers " + quoted(b) + " and " + quoted(pin.buffer) +
                       ", which must alias, exclude each other");
  }
}

void ProblemCheck::overlaps() {
  for (const MayOverlap &may : problem.mayOverlap) {
    if (!isBuffer(may.input) || !isBuffer(may.output) || may.input == may.output)
      errors.push_back("may-overlap names a buffer that does not exist, or one twice");
    if (may.multiple < 0 || may.multiple > kMaxMultiple)
      errors.push_back("may-overlap: multiple " + text(may.multiple) + " is not in 0 to 2^20");
    for (auto distance : {may.ascending, may.descending, std::optional(may.phase)})
      if (distance && (*distance > kMaxBytes || *distance < -kMaxBytes))
        errors.push_back("may-overlap: distance " + text(*distance) + " is out of range");
  }
}

class PlanCheck {
public:
  PlanCheck(const Problem &problem, const Plan &plan)
      : problem(problem), plan(plan), buffers(problem.buffers),
        count(static_cast<int>(buffers.size())), tops(problem.regions.size(), 0) {}

  std::vector<std::string> run() {
    if (plan.placements.size() != buffers.size() ||
        plan.overlaps.size() != problem.mayOverlap.size() || plan.heights.size() != tops.size())
      return {"the plan is not of this problem: its lists have other lengths"};
    for (int b = 0; b < count; ++b)
      if (int region = plan.placements[b].region;
          region < 0 || region >= static_cast<int>(tops.size()))
        return {quoted(b) + " is in a region that does not exist"};
    placements();
    heights();
    aliases();
    overlaps();
    sharing();
    return std::move(errors);
  }

private:
  void placements();
  void heights();
  void aliases();
  void overlaps();
  void sharing();

  std::string quoted(int b) const { return "'" + buffers[b].name + "'"; }
  int64_t begin(int b) const { return plan.placements[b].offset; }
  int64_t end(int b) const { return begin(b) + buffers[b].size; }
  std::string range(int b) const {
    return quoted(b) + " [" + text(begin(b)) + ", " + text(end(b)) + ")";
  }
  bool share(int a, int b) const {
    return plan.placements[a].region == plan.placements[b].region &&
           meet(buffers[a].life, buffers[b].life) && begin(a) < end(b) && begin(b) < end(a);
  }

  const Problem &problem;
  const Plan &plan;
  const std::vector<Buffer> &buffers;
  const int count;
  std::vector<int64_t> tops; ///< by region: the end of the highest buffer
  std::vector<std::string> errors;
};

void PlanCheck::placements() {
  for (int b = 0; b < count; ++b) {
    const Buffer &buffer = buffers[b];
    int region = plan.placements[b].region;
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
}

void PlanCheck::heights() {
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
}

void PlanCheck::aliases() {
  for (const MustAlias &alias : problem.mustAlias)
    if (plan.placements[alias.a].region != plan.placements[alias.b].region ||
        begin(alias.b) != begin(alias.a) + alias.delta)
      errors.push_back(quoted(alias.b) + " is not " + text(alias.delta) + " bytes into " +
                       quoted(alias.a));
}

/// The overlaps used: distances, one input per output, one way per step.
void PlanCheck::overlaps() {
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
}

/// No two share bytes while both live, but those of one place and, by an overlap that
/// is used, its input and output and what lies inside them.
void PlanCheck::sharing() {
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
  auto legal = [&](int a, int b) {
    for (size_t r = 0; r < plan.overlaps.size(); ++r)
      if (const MayOverlap &may = problem.mayOverlap[r];
          plan.overlaps[r] != Overlap::none && (hands(a, b, may) || hands(b, a, may)))
        return true;
    return false;
  };
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b)
      if (share(a, b) && chains[a].back() != chains[b].back() && !legal(a, b))
        errors.push_back(range(a) + " and " + range(b) + " are live together and share bytes");
}

} // namespace

std::vector<std::string> checkProblem(const Problem &problem) {
  return ProblemCheck(problem).run();
}

std::vector<std::string> checkPlan(const Problem &problem, const Plan &plan) {
  return PlanCheck(problem, plan).run();
}

} // namespace aotc::planner
