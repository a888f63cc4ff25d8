// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time cut into sections: the sets of items that live together, those contained
// in a neighbouring set left out. An item spans a range of sections, and two
// items live together exactly if their ranges meet. Internal to the planner.
#pragma once

#include "passes/planner/Model.h"

namespace aotc::planner {

struct Span {
  int begin = 0, end = 0; ///< sections [begin, end)
};

struct Sections {
  explicit Sections(const Model &model);

  int count() const { return static_cast<int>(members.size()); }
  std::vector<Span> spans;               ///< by item
  std::vector<std::vector<int>> members; ///< items, by section
  std::vector<int64_t> total;            ///< bytes of the members
};

} // namespace aotc::planner
