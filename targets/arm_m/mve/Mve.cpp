// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/mve/Mve.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

namespace aotc {

/// The shift VQRSHRNB does, the largest it can.
constexpr int up = 16;

/// The reference's result for a constant channel: its output less the zero point.
static int32_t offsetOf(const MveLayer &layer, const IntChannel &channel) {
  return *channel.constant - layer.zeroPoint;
}

/// Fits of all channels with one scale, or nothing. Most bits below the
/// accumulator's unit are best for the bias; fewer leave the multiplier more.
static bool fitChannels(MveLayer &layer, ClampRange range) {
  std::vector<std::optional<OutputSteps>> steps;
  int64_t largest = 1;
  int32_t leastRight = 31;
  for (const IntChannel &channel : layer.channels) {
    steps.emplace_back();
    if (channel.constant)
      continue;
    const auto [least, most] = channel.reach();
    steps.back() = outputSteps(channel.multiplier, layer.zeroPoint, range, least, most);
    if (!steps.back())
      return false;
    largest = std::max({largest, -least, most});
    leastRight = std::min(leastRight, -channel.multiplier.shift);
  }
  for (int scale = 30; scale >= std::max(0, up - leastRight); --scale) {
    if (largest << scale >= int64_t(1) << 30)
      continue;
    layer.fits.clear();
    for (size_t c = 0; c < layer.channels.size(); ++c) {
      const IntChannel &channel = layer.channels[c];
      if (channel.constant) {
        // vqrdmulh(bias, 2^30) = bias / 2.
        layer.fits.push_back({1 << 30, offsetOf(layer, channel) * (1 << (up + 1))});
        continue;
      }
      const std::optional<ScaledFit> fit =
          fitScaled(*steps[c], channel.multiplier, {scale, up, layer.zeroPoint});
      if (!fit)
        break;
      layer.fits.push_back({fit->mantissa, fit->bias + channel.bias * (1 << scale)});
    }
    if (layer.fits.size() == layer.channels.size()) {
      layer.output.scale = 1 << scale;
      return true;
    }
  }
  layer.fits.clear();
  return false;
}

MveLayer mveLayer(std::vector<IntChannel> channels, int32_t zeroPoint, ClampRange range,
                  int64_t group) {
  foldConstantChannels(channels, zeroPoint, range);
  MveLayer layer = {std::move(channels), zeroPoint, aotc_mve_general, {}, {}};
  layer.output = {1, zeroPoint, range.min, range.max};
  if (layer.channels.size() % group)
    return layer;
  if (fitChannels(layer, range)) {
    layer.tail = aotc_mve_fit;
    layer.output.zero = zeroPoint * (1 << up);
  } else if (range.min == -128 && range.max == 127 &&
             llvm::all_of(layer.channels, [](const IntChannel &channel) {
               return channel.constant || channel.multiplier.shift < 0;
             })) {
    layer.tail = aotc_mve_away;
  }
  return layer;
}

std::array<int32_t, 4> mveTailWords(const MveLayer &layer, size_t index) {
  if (index >= layer.channels.size())
    return {};
  if (layer.tail == aotc_mve_fit)
    return {layer.fits[index].bias, layer.fits[index].mantissa};
  const IntChannel &channel = layer.channels[index];
  FixedMultiplier multiplier = channel.multiplier;
  int32_t bias = channel.bias;
  if (channel.constant) {
    // Halved twice, exactly.
    multiplier = {1 << 30, -1};
    bias = 4 * offsetOf(layer, channel);
  }
  const int32_t left = std::max(multiplier.shift, 0), right = std::min(multiplier.shift, 0);
  if (layer.tail == aotc_mve_away)
    return {bias, multiplier.mantissa, right};
  return {bias, left, multiplier.mantissa, right};
}

void appendWord(KernelData &data, int32_t word) {
  for (int byte = 0; byte < 4; ++byte)
    data.bytes.push_back(char(uint32_t(word) >> 8 * byte));
}

KernelData mveStream(const MveLayer &layer, llvm::ArrayRef<int32_t> order, size_t group) {
  const std::vector<IntChannel> &channels = layer.channels;
  KernelData stream;
  stream.name = "weights";
  for (size_t first = 0; first < channels.size(); first += group) {
    for (size_t step = 0; step < order.size(); step += 16)
      for (size_t c = first; c < first + group; ++c)
        for (int32_t tap : order.slice(step, 16))
          stream.bytes.push_back(c < channels.size() && tap >= 0 ? char(channels[c].weights[tap])
                                                                 : char(0));
    for (size_t four = first; four < first + group; four += 4)
      for (int vector = 0; vector < aotc_mve_tail_vectors[layer.tail]; ++vector)
        for (size_t c = four; c < four + 4; ++c)
          appendWord(stream, mveTailWords(layer, c)[vector]);
  }
  return stream;
}

} // namespace aotc
