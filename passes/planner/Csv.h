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
//   inside    ID@BYTES: must alias, that far into buffer ID
//   overlap   ID:ASC:DESC:MULTIPLE, several with ';': this buffer is an output
//             that may share with the dying input ID at these distances
//             (Problem.h); ASC or DESC empty if not allowed that way
//   offset    of a plan (ignored when read)
//
// Fields follow RFC 4180 (quotes doubled inside quotes), one record a line.
#pragma once

#include "passes/planner/Problem.h"

#include <string_view>

namespace aotc::planner {

struct CsvProblem {
  Problem problem;
  std::vector<std::string> ids; ///< by buffer
};

/// On failure returns none and sets `error` to "line N: …". At most 20,000
/// buffers. The problem still needs checkProblem().
std::optional<CsvProblem> parseCsv(std::string_view text, std::string &error);

/// The inverse; with a plan, a column `offset` more. `ids` may be empty: then
/// buffers are numbered. One region only.
std::string printCsv(const Problem &problem, const std::vector<std::string> &ids = {},
                     const Plan *plan = nullptr);

} // namespace aotc::planner
