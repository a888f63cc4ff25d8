// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Problem prepared for search: buffers that must alias are one item, rules
// of overlap are distances between items, neighbours are listed. Internal to
// the planner; the validator must not see it.
#pragma once

#include "passes/planner/Planner.h"

namespace aotc::planner {

/// The numbers x with x - phase divisible by the modulus; 0 divides only 0.
struct Congruence {
  int64_t modulus = 1, phase = 0;

  std::optional<int64_t> from(int64_t least) const;    ///< the least, of at least that
  std::optional<int64_t> upTo(int64_t greatest) const; ///< the greatest, of at most that
};
/// Numbers of both. Moduli below 2^31, the least common multiple below 2^62.
std::optional<Congruence> intersect(Congruence a, Congruence b);

/// One or more buffers at fixed distances from each other.
struct Item {
  int64_t size = 0;
  int64_t align = 1, residue = 0; ///< offset % align == residue
  Lifetime life;                  ///< hull of the members'
  std::vector<int> regions;       ///< allowed, cheapest first
  std::optional<int64_t> fixed;   ///< offset
  int members = 1;

  int64_t alignUp(int64_t offset) const;
  int64_t alignDown(int64_t offset) const;
};

/// Distances at which one MayOverlap may share, its way given: input less
/// output start ascending, output less input start descending. The least of at
/// least `from`, the greatest of at most `from`.
std::optional<int64_t> allowedFrom(const MayOverlap &may, Overlap way, int64_t from);
std::optional<int64_t> allowedUpTo(const MayOverlap &may, Overlap way, int64_t from);

/// The alternatives of one pair of items, distances from item start to item start.
struct Rule {
  int input = 0, output = 0; ///< items
  int64_t step = 0;          ///< where the input dies
  std::vector<MayOverlap> alternatives;
  std::vector<int> sources; ///< Problem::mayOverlap, by alternative

  bool has(Overlap way) const;
  /// The first alternative that allows the distance, else -1.
  int alternativeAt(Overlap way, int64_t distance) const;
};

/// `other` is live together with the item; `rule` (or -1) relates the two.
struct Neighbour {
  int other = 0, rule = -1;
};

struct Model {
  explicit Model(const Problem &problem);

  std::vector<Item> items;
  std::vector<std::vector<Neighbour>> neighbours; ///< by item, ascending
  std::vector<Rule> rules;
  std::vector<int> itemOf;    ///< by buffer
  std::vector<int64_t> delta; ///< of the buffer in its item
  /// No plan of the problem was lost by the simplifications, so exhausting
  /// the model proves something about the problem.
  bool faithful = true;

private:
  void makeItems(const Problem &problem);
};

/// Where the items stand. `used` is by rule.
struct Layout {
  std::vector<int64_t> offsets;
  std::vector<int> regions;
  std::vector<Overlap> used;
};

/// Sum of the heights of the regions.
int64_t height(const Model &model, const Layout &layout);

/// Finds which rules the offsets make use of and a direction for each. False
/// if some output would share with two inputs, or one step need both ways.
bool settleOverlaps(const Model &model, Layout &layout);

/// Pushes the items down, pair by pair as they share; the height never rises.
void compact(const Model &model, Layout &layout);

/// The best of several greedy orders.
Layout planGreedily(const Problem &problem, const Model &model, int64_t bound);

/// Of a search for a plan of some height.
enum class Answer { found, none, gaveUp };

/// Exact search for heights in [bound, height(best)), one region. Improves
/// `best`, raises `bound` to what was proved. The second needs a model without
/// rules, and is the stronger one there.
void planExactly(const Model &model, const PlannerOptions &options, Layout &best, int64_t &bound,
                 int64_t &nodes);
void planCanonically(const Model &model, const PlannerOptions &options, Layout &best,
                     int64_t &bound, int64_t &nodes);

/// Several regions.
Plan planRegions(const Problem &problem, const Model &model, const PlannerOptions &options);

} // namespace aotc::planner
