// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/SavedPlan.h"
#include "passes/planner/Csv.h"
#include "passes/planner/Planner.h"

#include <algorithm>
#include <tuple>

namespace aotc::planner {
namespace {

std::string text(std::optional<int64_t> value) { return value ? std::to_string(*value) : "no"; }

/// How the buffer differs from that of the file; empty if it does not.
std::string difference(const Buffer &now, const Buffer &saved) {
  auto say = [](const char *what, std::optional<int64_t> is, std::optional<int64_t> was) {
    return std::string(what) + " " + text(is) + ", in the plan " + text(was);
  };
  if (now.size != saved.size)
    return say("size", now.size, saved.size);
  if (now.align != saved.align)
    return say("alignment", now.align, saved.align);
  if (now.life.first != saved.life.first)
    return say("first step", now.life.first, saved.life.first);
  if (now.life.last != saved.life.last)
    return say("last step", now.life.last, saved.life.last);
  if (now.fixedOffset != saved.fixedOffset)
    return say("fixed offset", now.fixedOffset, saved.fixedOffset);
  if (now.role != saved.role)
    return "another role than in the plan";
  return "";
}

/// All that relates the buffer to others, as something to compare.
auto relations(const Problem &problem, int buffer) {
  std::vector<std::tuple<int, std::optional<int64_t>, std::optional<int64_t>, int64_t, int64_t>>
      result;
  for (const MayOverlap &may : problem.mayOverlap)
    if (may.output == buffer)
      result.push_back({may.input, may.ascending, may.descending, may.multiple, may.phase});
  for (const MustAlias &alias : problem.mustAlias)
    if (alias.b == buffer)
      result.push_back({alias.a, std::nullopt, std::nullopt, 0, alias.delta});
  return result;
}

std::string difference(const Problem &now, const Problem &saved) {
  size_t count = std::min(now.buffers.size(), saved.buffers.size());
  for (size_t b = 0; b < count; ++b) {
    const std::string &name = now.buffers[b].name;
    if (name != saved.buffers[b].name)
      return "buffer " + std::to_string(b) + " is '" + name + "', in the plan '" +
             saved.buffers[b].name + "'";
    if (std::string what = difference(now.buffers[b], saved.buffers[b]); !what.empty())
      return "buffer '" + name + "' has " + what;
    if (relations(now, static_cast<int>(b)) != relations(saved, static_cast<int>(b)))
      return "buffer '" + name + "' may share memory in other ways than in the plan";
  }
  if (now.buffers.size() > count)
    return "buffer '" + now.buffers[count].name + "' is not in the plan";
  if (saved.buffers.size() > count)
    return "the plan's buffer '" + saved.buffers[count].name + "' does not exist";
  return "";
}

} // namespace

std::optional<Plan> readPlan(const Problem &problem, std::string_view file, std::string &error) {
  auto saved = parseCsv(file, error);
  if (!saved)
    return std::nullopt;
  if (saved->placements.size() != saved->problem.buffers.size()) {
    error = "it has no column 'offset'";
    return std::nullopt;
  }
  saved->problem.regions = problem.regions;
  if (!resolveRegions(*saved, error))
    return std::nullopt;
  // Names as a file has them: blanks at their ends and line breaks are lost.
  auto now = parseCsv(printCsv(problem), error);
  if (!now)
    return std::nullopt;
  error = difference(now->problem, saved->problem);
  if (!error.empty())
    return std::nullopt;
  return planOf(problem, saved->placements);
}

} // namespace aotc::planner
