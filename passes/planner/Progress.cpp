// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Progress.h"

#include <cstdio>
#include <unistd.h>

namespace aotc::planner {

using Clock = std::chrono::steady_clock;

TerminalProgress::TerminalProgress(std::string what, std::chrono::milliseconds quiet)
    : what(std::move(what)), terminal(isatty(STDERR_FILENO) == 1), next(Clock::now() + quiet) {}

TerminalProgress::~TerminalProgress() {
  if (shown)
    std::fputs("\r\033[K", stderr);
}

/// 1234567 as 1,234,567.
static std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  for (size_t end = digits.size(); end > 3; end -= 3)
    digits.insert(end - 3, ",");
  return digits;
}

void TerminalProgress::show(const Progress &progress) {
  if (!terminal || Clock::now() < next)
    return;
  next = Clock::now() + std::chrono::milliseconds(100);
  shown = true;
  std::fprintf(stderr, "\r%s: %s nodes, best %s, bound %s\033[K", what.c_str(),
               grouped(progress.nodes).c_str(), grouped(progress.best).c_str(),
               grouped(progress.bound).c_str());
  std::fflush(stderr);
}

} // namespace aotc::planner
