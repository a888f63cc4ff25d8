// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/SharedShift.h"

namespace aotc {

constexpr int64_t sumLimit = 1 << 23; ///< 256 times a sum fits 32 bits

// The sum of rounded product, half and shifted zero point stays below 2^31 (2^22
// + 2^21 + 128 * 2^22 < 2^30).
bool roundsAway(const IntChannel &channel) {
  if (channel.constant)
    return true;
  const auto [least, most] = channel.reach();
  return least > -sumLimit && most < sumLimit && channel.multiplier.shift <= -1 &&
         channel.multiplier.shift >= -22;
}

/// The steps of a channel's output over its sums; nothing if they are too large.
static std::optional<OutputSteps> stepsOverSums(const IntChannel &channel, int32_t zeroPoint,
                                                ClampRange range, int64_t offset) {
  const auto [least, most] = channel.reach();
  if (least - offset <= -sumLimit || most - offset >= sumLimit)
    return std::nullopt;
  std::optional<OutputSteps> steps = outputSteps(channel.multiplier, zeroPoint, range, least, most);
  if (steps && offset) {
    steps->first -= offset;
    steps->last -= offset;
    for (int64_t &at : steps->at)
      at -= offset;
  }
  return steps;
}

/// The constants of a channel, or nothing.
static std::optional<AffineFit> fitChannel(const IntChannel &channel,
                                           const std::optional<OutputSteps> &steps, int32_t up) {
  if (channel.constant)
    return AffineFit{0, *channel.constant * (1 << up)};
  if (!steps)
    return std::nullopt;
  return fitAffine(*steps, channel.multiplier, {8, 32, up, 31});
}

std::optional<SharedShiftFit> fitSharedShift(const std::vector<IntChannel> &channels,
                                             int32_t zeroPoint, ClampRange range,
                                             llvm::ArrayRef<int32_t> ups,
                                             llvm::ArrayRef<int64_t> offsets) {
  std::vector<std::optional<OutputSteps>> steps;
  for (size_t c = 0; c < channels.size(); ++c) {
    steps.emplace_back();
    if (!channels[c].constant)
      steps.back() = stepsOverSums(channels[c], zeroPoint, range, offsets.empty() ? 0 : offsets[c]);
  }
  for (int32_t up : ups) {
    SharedShiftFit layer = {up, {}};
    for (size_t c = 0; c < channels.size(); ++c) {
      const std::optional<AffineFit> fit = fitChannel(channels[c], steps[c], up);
      if (!fit)
        break;
      layer.fits.push_back(*fit);
    }
    if (layer.fits.size() == channels.size())
      return layer;
  }
  return std::nullopt;
}

} // namespace aotc
