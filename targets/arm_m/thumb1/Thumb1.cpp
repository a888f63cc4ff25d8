// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/thumb1/Thumb1.h"

#include "targets/generic/RequantizeFit.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace aotc {

std::string rejectThumb1Weights(const std::vector<IntChannel> &channels) {
  for (const IntChannel &channel : channels)
    if (llvm::count(channel.weights, int8_t(-128)) > 1)
      return "two weights of -128 may leave 16 bits";
  return "";
}

/// The products of the tail stay below 2^32.
constexpr int64_t sumLimit = int64_t(1) << (32 - aotc_thumb1_low_bits);
constexpr AffineForm form = {0, aotc_thumb1_low_bits, aotc_thumb1_shift, 31};

/// The output at a reachable accumulator.
static int32_t outputAt(const OutputSteps &steps, int64_t acc) {
  int32_t value = -128;
  while (value < 127 && steps.at[value + 1 + 128] <= acc)
    ++value;
  return value;
}

/// The steps from `first` to `last` alone, each less `origin`.
static OutputSteps partOf(const OutputSteps &steps, int64_t first, int64_t last, int64_t origin) {
  OutputSteps part;
  part.first = first - origin;
  part.last = last - origin;
  for (size_t k = 0; k < steps.at.size(); ++k)
    part.at[k] = std::clamp(steps.at[k], first, last + 1) - origin;
  return part;
}

/// affineRound saturates, the device does not: the ends must come out as well.
static std::optional<int32_t> roundOf(const OutputSteps &steps, int64_t mantissa) {
  const std::optional<int32_t> round = affineRound(steps, mantissa, form);
  if (!round)
    return std::nullopt;
  for (int64_t acc : {steps.first, steps.last})
    if ((*round + (acc * mantissa >> form.dropped)) >> form.up != outputAt(steps, acc))
      return std::nullopt;
  return round;
}

static std::optional<Thumb1Tail> tailOf(const IntChannel &channel, int32_t zeroPoint,
                                        ClampRange range) {
  Thumb1Tail tail;
  if (channel.constant) {
    tail.round = *channel.constant * (1 << form.up);
    return tail;
  }
  const auto [least, most] = channel.reach();
  const std::optional<OutputSteps> all =
      outputSteps(channel.multiplier, zeroPoint, range, least, most);
  if (!all)
    return std::nullopt;
  // No output changes below `first` and above `last`.
  const int64_t last = all->at[outputAt(*all, all->last) + 128];
  const int32_t value = outputAt(*all, all->first);
  if (value == 127 || all->at[value + 1 + 128] > all->last)
    return std::nullopt; // constant, but not found to be
  const int64_t first = all->at[value + 1 + 128] - 1;
  if (last - first >= sumLimit)
    return std::nullopt;
  // The stream has twice the start (thumb1Stream).
  if (std::abs(channel.bias - first) >= int64_t(1) << 30)
    return std::nullopt;
  tail.start = int32_t(channel.bias - first);
  tail.top = int32_t(last - first);
  const OutputSteps steps = partOf(*all, first, last, first);
  const auto nearest =
      int64_t(std::llround(std::ldexp(double(channel.multiplier.mantissa),
                                      channel.multiplier.shift - 31 + form.dropped + form.up)));
  for (int64_t step : {0, 1, -1, 2, -2}) {
    tail.mantissa = nearest + step;
    if (tail.mantissa < 0 || tail.mantissa >> form.dropped >= int64_t(1) << 32)
      continue;
    if (const std::optional<int32_t> round = roundOf(steps, tail.mantissa)) {
      tail.round = *round;
      return tail;
    }
    if (first >= 0 || last < 0)
      continue;
    const auto low = roundOf(partOf(*all, first, -1, first), tail.mantissa);
    const auto high = roundOf(partOf(*all, 0, last, first), tail.mantissa);
    if (low && high) {
      tail.round = *high;
      tail.zero = int32_t(-first);
      tail.below = int32_t(uint32_t(*low) - uint32_t(*high));
      return tail;
    }
  }
  return std::nullopt;
}

std::optional<Thumb1Layer> thumb1Layer(std::vector<IntChannel> channels, int32_t zeroPoint,
                                       ClampRange range) {
  foldConstantChannels(channels, zeroPoint, range);
  Thumb1Layer layer;
  for (const IntChannel &channel : channels) {
    const std::optional<Thumb1Tail> tail = tailOf(channel, zeroPoint, range);
    if (!tail)
      return std::nullopt;
    if (tail->below)
      layer.kind = aotc_thumb1_split;
    layer.tails.push_back(*tail);
  }
  layer.channels = std::move(channels);
  return layer;
}

std::vector<int32_t> thumb1TailWords(const Thumb1Layer &layer, size_t channel) {
  const Thumb1Tail &tail = layer.tails[channel];
  std::vector<int32_t> words = {int32_t(tail.mantissa & ((1 << form.dropped) - 1)),
                                int32_t(tail.mantissa >> form.dropped), tail.round, tail.top};
  if (layer.kind == aotc_thumb1_split)
    words.insert(words.end(), {tail.zero, tail.below});
  return words;
}

KernelData thumb1Stream(const Thumb1Layer &layer, llvm::ArrayRef<int32_t> order) {
  std::vector<int32_t> words;
  for (size_t c = 0; c < layer.channels.size(); ++c) {
    const std::vector<int8_t> &weights = layer.channels[c].weights;
    auto weight = [&](int32_t tap) { return tap < 0 ? 0 : int(weights[tap]); };
    bool pairs = false;
    std::vector<int32_t> packed;
    for (size_t i = 0; i < order.size(); i += 4) {
      uint32_t word = 0;
      int sum = 0;
      for (size_t k = 0; k < 4; ++k) {
        const int w = weight(order[i + k]);
        word |= uint32_t(uint8_t(w)) << 8 * k;
        sum += std::abs(w);
      }
      pairs |= sum > 255;
      packed.push_back(int32_t(word));
    }
    const auto start = uint32_t(layer.tails[c].start);
    const auto groups = uint32_t(packed.size() * (pairs ? 2 : 1));
    words.push_back(int32_t(2 * start + pairs));
    words.push_back(int32_t(65537 * start - 0x8000 * groups));
    llvm::append_range(words, packed);
    llvm::append_range(words, thumb1TailWords(layer, c));
  }
  return wordData("weights", words);
}

} // namespace aotc
