// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Sections.h"

#include <algorithm>
#include <numeric>

namespace aotc::planner {

Sections::Sections(const Model &model) : spans(model.items.size()) {
  const auto &items = model.items;
  std::vector<int> byBirth(items.size());
  std::iota(byBirth.begin(), byBirth.end(), 0);
  std::sort(byBirth.begin(), byBirth.end(), [&](int a, int b) {
    return std::pair(items[a].life.first, a) < std::pair(items[b].life.first, b);
  });

  // A section ends where, after births, something dies before the next birth.
  std::vector<int> alive;
  for (size_t next = 0; next < byBirth.size();) {
    int64_t step = items[byBirth[next]].life.first;
    std::erase_if(alive, [&](int i) { return items[i].life.last < step; });
    for (; next < byBirth.size() && items[byBirth[next]].life.first == step; ++next)
      alive.push_back(byBirth[next]);
    bool more = next < byBirth.size();
    bool death = !more || std::any_of(alive.begin(), alive.end(), [&](int i) {
      return items[i].life.last < items[byBirth[next]].life.first;
    });
    if (!death)
      continue;
    int section = count();
    members.push_back(alive);
    std::sort(members.back().begin(), members.back().end());
    total.push_back(0);
    for (int i : alive) {
      if (spans[i].end == 0)
        spans[i].begin = section;
      spans[i].end = section + 1;
      total.back() += items[i].size;
    }
  }
}

} // namespace aotc::planner
