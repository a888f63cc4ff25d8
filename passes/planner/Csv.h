// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Problems and plans as CSV. The columns `id,lower,upper,size` are MiniMalloc's:
// a buffer lives during [lower, upper), half open. Further columns, all
// optional, in any order, an empty field meaning none:
//
//   name      free text
//   align     of the offset
//   role      internal, scratch, state, input or output
//   fixed     offset that must be kept
//   inside    ID@BYTES: must alias, starting that far from buffer ID's start
//   overlap   ID:ASC:DESC:MULTIPLE or ID:ASC:DESC:MULTIPLE:PHASE, several with
//             ';': this buffer is an output that may share with the dying input
//             ID at these distances (Problem.h); ASC or DESC empty if not
//             allowed that way. Several of one ID are alternatives.
//   offset    of a plan
//   region    of a plan, by name; absent: the first
//
// Fields follow RFC 4180 (quotes doubled inside quotes), one record a line.
#pragma once

#include "passes/planner/Problem.h"

#include <string_view>

namespace aotc::planner {

struct CsvProblem {
  Problem problem;
  std::vector<std::string> ids; ///< by buffer
  /// By buffer, if the file has a column `offset`; region names are looked up
  /// by resolveRegions() once the regions are known.
  std::vector<Placement> placements;
  std::vector<std::string> regionNames; ///< by buffer, may be empty
};

/// On failure returns none and sets `error` to "line N: …". At most 20,000
/// buffers. The problem still needs checkProblem(); its regions are not in the
/// file.
std::optional<CsvProblem> parseCsv(std::string_view text, std::string &error);

/// Sets the regions of the placements; false and `error` if a name is unknown.
bool resolveRegions(CsvProblem &csv, std::string &error);

/// The inverse; with a plan, a column `offset` more, and `region` if there are
/// several. `ids` may be empty: then buffers are numbered.
std::string printCsv(const Problem &problem, const std::vector<std::string> &ids = {},
                     const Plan *plan = nullptr);

} // namespace aotc::planner
