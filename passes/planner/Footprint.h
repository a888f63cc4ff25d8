// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How full a plan is at each step: what reports show and where the peak is.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace aotc::planner {

/// A placed buffer, live during the steps [first, last].
struct Placed {
  std::string_view region;
  int64_t offset = 0, bytes = 0, first = 0, last = 0;
};

struct Footprint {
  int64_t height = 0;   ///< highest byte in use, summed over regions
  int64_t occupied = 0; ///< bytes in use; those that two buffers share, once
};

/// Of the steps 0 … steps - 1.
std::vector<Footprint> footprints(const std::vector<Placed> &buffers, int64_t steps);

/// The highest step; of several the one with most bytes in use, then the first.
/// 0 if there are no steps.
int64_t peakStep(const std::vector<Footprint> &footprints);

} // namespace aotc::planner
