// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans without rules of overlap can be pushed down until everything stands on
// something; of all plans of one height that with the least sum of offsets is
// such a plan ("canonical", after Moffitt's MiniMalloc, ASPLOS 2023). So items
// are placed in the order of their offsets, each on top of what its time has so
// far, and a branch ends as soon as it cannot become the plan of least sum:
//  - a section's floor and its unplaced bytes exceed the height (settle);
//  - all unplaced members of a section stand above its floor: it rises (settle);
//  - an item passed over finds nothing that could lift it (blockEarlier);
//  - something unplaced would fit entirely below the next item (lowestTop).
// Where no unplaced item crosses a point in time, the two sides are solved apart.
#include "passes/planner/Canonical.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace aotc::planner {

static Span hull(Span a, Span b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }
static bool meet(Span a, Span b) { return a.begin < b.end && b.begin < a.end; }

constexpr int64_t kFar = std::numeric_limits<int64_t>::max() / 4;

/// Section members looked at; large problems get fewer nodes.
constexpr int64_t kWorkPerNode = 20'000;

CanonicalSearch::CanonicalSearch(const Model &model) : model(model), sections(model) {
  size_t count = model.items.size();
  std::vector<int64_t> total(count, 0);
  for (size_t i = 0; i < count; ++i) {
    for (int s = sections.spans[i].begin; s < sections.spans[i].end; ++s)
      total[i] = std::max(total[i], sections.total[s]);
  }
  static constexpr int keys[][3] = {{0, 1, 2}, {0, 4, 4}, {0, 3, 3}};
  for (const auto &key : keys) {
    // Largest first; numbers decide ties.
    std::vector<std::pair<std::array<int64_t, 3>, int>> order;
    for (size_t i = 0; i < count; ++i) {
      int64_t width = model.items[i].life.last - model.items[i].life.first + 1, area = 0;
      if (__builtin_mul_overflow(model.items[i].size, width, &area))
        area = kFar;
      int64_t values[] = {-total[i], -width, -area, -model.items[i].size,
                          -static_cast<int64_t>(model.neighbours[i].size())};
      order.push_back({{values[key[0]], values[key[1]], values[key[2]]}, static_cast<int>(i)});
    }
    std::sort(order.begin(), order.end());
    std::vector<int> rank(count);
    for (size_t k = 0; k < count; ++k)
      rank[order[k].second] = static_cast<int>(k);
    ranks.push_back(rank);
  }
}

void CanonicalSearch::undoTo(size_t mark) {
  while (trail.size() > mark) {
    Change change = trail.back();
    trail.pop_back();
    switch (change.what) {
    case What::low:
      low[change.index] = change.before;
      break;
    case What::stand:
      stand[change.index] = change.before;
      break;
    case What::top:
      top[change.index] = change.before;
      break;
    case What::floor:
      floor[change.index] = change.before;
      break;
    case What::rest:
      rest[change.index] = change.before;
      break;
    case What::placed:
      placed[change.index] = 0;
      break;
    }
  }
}

bool CanonicalSearch::raise(int item, int64_t offset) {
  offset = model.items[item].alignUp(offset);
  if (offset <= low[item])
    return true;
  trail.push_back({What::low, item, low[item]});
  low[item] = offset;
  if (offset + model.items[item].size > height)
    return false;
  if (model.items[item].fixed && offset > *model.items[item].fixed)
    return false;
  for (int s = sections.spans[item].begin; s < sections.spans[item].end; ++s)
    if (!isDirty[s]) {
      isDirty[s] = 1;
      dirty.push_back(s);
    }
  return true;
}

/// What the unplaced members of a section, which all must fit between its floor
/// and the height, imply for each other.
bool CanonicalSearch::settle(int section) {
  scratch.clear();
  for (int i : sections.members[section])
    if (!placed[i])
      scratch.push_back({low[i], i});
  if (scratch.empty())
    return true;
  work += static_cast<int64_t>(sections.members[section].size());
  std::sort(scratch.begin(), scratch.end());
  int64_t newFloor = std::max(floor[section], scratch[0].first);
  if (newFloor > floor[section]) {
    trail.push_back({What::floor, section, floor[section]});
    floor[section] = newFloor;
  }
  // One after the other in the order of their least offsets is the least end.
  int64_t end = newFloor, left = rest[section];
  int64_t first = newFloor; // least offset of those after a forced beginning
  bool chain = true;        // the order up to here is forced
  for (size_t k = 0; k < scratch.size(); ++k) {
    auto [least, item] = scratch[k];
    end = std::max(end, least);
    if (end + left > height)
      return false;
    if (!raise(item, first))
      return false;
    // Only one can come first if the others start too late for what is left.
    chain = chain && k + 1 < scratch.size() && scratch[k + 1].first > height - left;
    end += model.items[item].size;
    left -= model.items[item].size;
    if (chain)
      first = end;
  }
  return true;
}

/// The conflict is about the members of the section.
void CanonicalSearch::blame(int section) {
  conflict = {section, section + 1};
  for (int i : sections.members[section])
    if (!placed[i])
      conflict = hull(conflict, sections.spans[i]);
}

/// Empties the queue; works on it only if `alive`.
bool CanonicalSearch::propagate(bool alive) {
  for (size_t head = 0; head < dirty.size(); ++head) {
    int section = dirty[head];
    isDirty[section] = 0;
    if (alive && !settle(section)) {
      alive = false;
      blame(section);
    }
  }
  dirty.clear();
  return alive;
}

/// Items that come earlier in the sequence than `last` were passed over: they
/// can only stand on something still to come.
bool CanonicalSearch::blockEarlier(Span span, Key last) {
  lowest.assign(span.end - span.begin, {kFar, kFar, -1});
  for (int s = span.begin; s < span.end; ++s) {
    LowestTops &two = lowest[s - span.begin];
    for (int i : sections.members[s]) {
      if (placed[i])
        continue;
      int64_t t = std::max(low[i], last.offset) + model.items[i].size;
      if (t < two.first) {
        two.second = two.first;
        two.first = t;
        two.item = i;
      } else {
        two.second = std::min(two.second, t);
      }
    }
  }
  for (int s = span.begin; s < span.end; ++s)
    for (int i : sections.members[s]) {
      if (placed[i] || std::max(sections.spans[i].begin, span.begin) != s)
        continue;
      Key own{stand[i], (*rank)[i]};
      if (!(own < last))
        continue;
      int64_t least = kFar;
      for (int t = sections.spans[i].begin; t < sections.spans[i].end; ++t) {
        const LowestTops &two = lowest[t - span.begin];
        least = std::min(least, two.item == i ? two.second : two.first);
      }
      if (least >= kFar || !raise(i, least)) {
        conflict = sections.spans[i];
        return false;
      }
    }
  return true;
}

bool CanonicalSearch::place(int item, Span span, Key key) {
  trail.push_back({What::placed, item, 0});
  placed[item] = 1;
  int64_t size = model.items[item].size;
  for (const Neighbour &n : model.neighbours[item]) {
    if (placed[n.other] || model.items[n.other].fixed)
      continue;
    int64_t above = model.items[n.other].alignUp(key.offset + size);
    if (above > stand[n.other]) {
      trail.push_back({What::stand, n.other, stand[n.other]});
      stand[n.other] = above;
    }
  }
  for (int s = sections.spans[item].begin; s < sections.spans[item].end; ++s) {
    trail.push_back({What::top, s, top[s]});
    trail.push_back({What::rest, s, rest[s]});
    top[s] = key.offset + size;
    rest[s] -= size;
    if (top[s] > floor[s]) {
      trail.push_back({What::floor, s, floor[s]});
      floor[s] = top[s];
    }
    if (!isDirty[s]) {
      isDirty[s] = 1;
      dirty.push_back(s);
    }
  }
  // Nothing still to come stands lower.
  bool alive = true;
  for (int s = span.begin; s < span.end && alive; ++s)
    if (rest[s] > 0 && floor[s] < key.offset) {
      trail.push_back({What::floor, s, floor[s]});
      floor[s] = key.offset;
      alive = floor[s] + rest[s] <= height;
      if (!alive)
        blame(s);
      if (!isDirty[s]) {
        isDirty[s] = 1;
        dirty.push_back(s);
      }
    }
  alive = alive && blockEarlier(span, key);
  return propagate(alive);
}

/// Splits the span where nothing unplaced crosses, and solves the parts.
Answer CanonicalSearch::searchParts(Span span, Key last) {
  std::vector<Span> parts;
  for (int s = span.begin; s < span.end;) {
    if (rest[s] == 0) {
      ++s;
      continue;
    }
    int end = s + 1;
    for (int t = s; t < end; ++t)
      for (int i : sections.members[t])
        if (!placed[i])
          end = std::max(end, sections.spans[i].end);
    parts.push_back({s, end});
    s = end;
  }
  for (Span part : parts)
    if (Answer answer = search(part, last); answer != Answer::found)
      return answer;
  return Answer::found;
}

Answer CanonicalSearch::search(Span span, Key last) {
  struct Candidate {
    Key key;
    int item;
    bool operator<(const Candidate &o) const { return key < o.key; }
  };
  std::vector<Candidate> candidates;
  int64_t lowestTop = kFar;
  for (int s = span.begin; s < span.end; ++s)
    for (int i : sections.members[s]) {
      if (placed[i] || std::max(sections.spans[i].begin, span.begin) != s)
        continue;
      int64_t at = stand[i];
      lowestTop = std::min(lowestTop, at + model.items[i].size);
      if (low[i] == at)
        candidates.push_back({{at, (*rank)[i]}, i});
    }
  std::sort(candidates.begin(), candidates.end());
  Span reasons{span.end, span.begin};
  for (const Candidate &candidate : candidates) {
    // Something fits below this one, entirely.
    if (candidate.key.offset >= lowestTop)
      break;
    if (candidate.key < last)
      continue;
    if (nodes >= limit || work >= workLimit)
      return Answer::gaveUp;
    if (++nodes % 64 == 0 && tick)
      tick();
    size_t mark = trail.size();
    Answer answer = Answer::none;
    if (place(candidate.item, span, candidate.key))
      answer = searchParts(span, candidate.key);
    if (answer != Answer::none)
      return answer;
    undoTo(mark);
    // The conflict lies elsewhere: what is tried here cannot lift it. (An
    // item placed later may be in the way of the proof, so none is claimed.)
    if (jump && !meet(conflict, sections.spans[candidate.item])) {
      complete = false;
      return Answer::none;
    }
    reasons = hull(reasons, conflict);
  }
  conflict = reasons.begin < reasons.end ? reasons : span;
  return Answer::none;
}

Answer CanonicalSearch::run(int64_t wanted, int order, int64_t nodeLimit, bool jumps,
                            std::vector<int64_t> &offsets) {
  jump = jumps;
  height = wanted;
  limit = nodes + nodeLimit;
  workLimit = work + nodeLimit * kWorkPerNode;
  rank = &ranks[order];
  size_t count = model.items.size();
  placed.assign(count, 0);
  low.assign(count, 0);
  stand.assign(count, 0);
  top.assign(sections.count(), 0);
  floor.assign(sections.count(), 0);
  rest = sections.total;
  isDirty.assign(sections.count(), 0);
  trail.clear();
  complete = true;
  dirty.clear();
  for (size_t i = 0; i < count; ++i) {
    low[i] = stand[i] = model.items[i].fixed.value_or(model.items[i].alignUp(0));
    if (low[i] + model.items[i].size > height)
      return Answer::none;
  }
  for (int s = 0; s < sections.count(); ++s) {
    isDirty[s] = 1;
    dirty.push_back(s);
  }
  Answer answer = propagate(true) ? searchParts({0, sections.count()}, {-1, -1}) : Answer::none;
  if (answer == Answer::found)
    offsets = low;
  // After a jump nothing is known about what was passed over.
  return answer == Answer::none && !complete ? Answer::gaveUp : answer;
}

} // namespace aotc::planner
