// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/planner/Footprint.h"

#include <algorithm>
#include <tuple>

namespace aotc::planner {

std::vector<Footprint> footprints(const std::vector<Placed> &buffers, int64_t steps) {
  std::vector<const Placed *> byBirth, live;
  for (const Placed &buffer : buffers)
    byBirth.push_back(&buffer);
  std::sort(byBirth.begin(), byBirth.end(), [](const Placed *a, const Placed *b) {
    return std::tie(a->first, a) < std::tie(b->first, b); // a, b: by number
  });
  std::vector<Footprint> result(std::max<int64_t>(steps, 0));
  size_t next = 0;
  for (int64_t step = 0; step < steps; ++step) {
    for (; next < byBirth.size() && byBirth[next]->first <= step; ++next)
      live.push_back(byBirth[next]);
    std::erase_if(live, [step](const Placed *buffer) { return buffer->last < step; });
    std::sort(live.begin(), live.end(), [](const Placed *a, const Placed *b) {
      return std::tie(a->region, a->offset) < std::tie(b->region, b->offset);
    });
    Footprint &at = result[step];
    std::string_view region;
    int64_t reach = 0;
    for (const Placed *buffer : live) {
      if (buffer->region != region) {
        at.height += reach;
        reach = 0;
        region = buffer->region;
      }
      int64_t end = buffer->offset + buffer->bytes;
      at.occupied += std::max<int64_t>(0, end - std::max(buffer->offset, reach));
      reach = std::max(reach, end);
    }
    at.height += reach;
  }
  return result;
}

int64_t peakStep(const std::vector<Footprint> &footprints) {
  auto peak = std::max_element(
      footprints.begin(), footprints.end(), [](const Footprint &a, const Footprint &b) {
        return std::tie(a.height, a.occupied) < std::tie(b.height, b.occupied);
      });
  return peak == footprints.end() ? 0 : peak - footprints.begin();
}

} // namespace aotc::planner
