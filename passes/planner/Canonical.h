// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exact search for problems of one region without rules of overlap. Internal
// to the planner.
#pragma once

#include "passes/planner/Sections.h"

namespace aotc::planner {

class CanonicalSearch {
public:
  static constexpr int kOrders = 3;

  explicit CanonicalSearch(const Model &model);

  /// Looks for offsets of at most that height, trying items in one of kOrders
  /// orders, for at most that many placements; `nodes` counts them. With `jumps`
  /// it leaves choices that have nothing to do with a conflict: often much
  /// faster to a plan, but rarely able to answer `none`.
  Answer run(int64_t height, int order, int64_t nodeLimit, bool jumps,
             std::vector<int64_t> &offsets);
  int64_t nodes = 0;
  int64_t work = 0;           ///< members of sections looked at
  std::function<void()> tick; ///< called every 64 nodes, if there is one

private:
  struct Key { ///< a placement in the canonical sequence
    int64_t offset;
    int rank;
    bool operator<(const Key &o) const {
      return offset != o.offset ? offset < o.offset : rank < o.rank;
    }
  };

  Answer search(Span span, Key last);
  Answer searchParts(Span span, Key last);
  bool place(int item, Span span, Key key);
  bool blockEarlier(Span span, Key last);
  void blame(int section);
  bool propagate(bool alive);
  bool settle(int section);
  bool raise(int item, int64_t offset);
  void undoTo(size_t mark);

  const Model &model;
  Sections sections;
  std::vector<std::vector<int>> ranks; ///< by order, by item

  int64_t height = 0, limit = 0, workLimit = 0;
  bool jump = false, complete = true;
  Span conflict; ///< sections of the last failure
  const std::vector<int> *rank = nullptr;

  // State; every change goes through the trail.
  std::vector<char> placed;
  std::vector<int64_t> low;   ///< least offset, by item
  std::vector<int64_t> stand; ///< offset on top of what is placed
  std::vector<int64_t> top;   ///< of what is placed, by section
  std::vector<int64_t> floor; ///< of what is not, by section
  std::vector<int64_t> rest;  ///< bytes not placed, by section
  enum class What { low, stand, top, floor, rest, placed };
  struct Change {
    What what;
    int index;
    int64_t before;
  };
  std::vector<Change> trail;
  std::vector<int> dirty;
  std::vector<char> isDirty;
  std::vector<std::pair<int64_t, int>> scratch;
  struct LowestTops { ///< that unplaced members can have
    int64_t first, second;
    int item; ///< of the first
  };
  std::vector<LowestTops> lowest; ///< by section
};

} // namespace aotc::planner
