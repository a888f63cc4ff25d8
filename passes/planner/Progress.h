// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a long search tells the outside, and a line on the terminal that shows
// it. Has no influence on any result.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace aotc::planner {

struct Progress {
  int64_t nodes = 0; ///< visited so far
  int64_t best = 0;  ///< bytes of the best known
  int64_t bound = 0; ///< bytes that nothing is below
};
/// Called now and then, at fixed counts of nodes.
using ProgressCallback = std::function<void(const Progress &)>;

/// A line on stderr, if that is a terminal, once `quiet` has passed, ten times a
/// second at most; erased at the end.
class TerminalProgress {
public:
  explicit TerminalProgress(std::string what,
                            std::chrono::milliseconds quiet = std::chrono::seconds(1));
  ~TerminalProgress();
  TerminalProgress(const TerminalProgress &) = delete;
  TerminalProgress &operator=(const TerminalProgress &) = delete;

  void show(const Progress &progress);

private:
  std::string what;
  bool terminal, shown = false;
  std::chrono::steady_clock::time_point next;
};

} // namespace aotc::planner
