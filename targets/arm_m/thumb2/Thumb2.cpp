// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/thumb2/Thumb2.h"

#include "llvm/ADT/STLExtras.h"

namespace aotc {

Thumb2Layer thumb2Layer(std::vector<IntChannel> channels, Thumb2Sums sums, int32_t zeroPoint,
                        ClampRange range) {
  foldConstantChannels(channels, zeroPoint, range);
  Thumb2Layer layer;
  layer.zeroPoint = zeroPoint;
  for (const IntChannel &channel : channels) {
    int64_t offset = channel.bias;
    if (sums == Thumb2Sums::offsetBias)
      for (int8_t w : channel.weights)
        offset -= 128 * w;
    layer.offsets.push_back(offset);
  }
  if (auto fit = fitSharedShift(channels, zeroPoint, range, aotc_thumb2_shifts, layer.offsets)) {
    layer.tail = aotc_thumb2_fit;
    layer.fit = std::move(*fit);
  } else if (range.min == -128 && range.max == 127 && llvm::all_of(channels, roundsAway)) {
    layer.tail = aotc_thumb2_away;
  }
  layer.channels = std::move(channels);
  return layer;
}

std::vector<int32_t> Thumb2Layer::tailWords(size_t index) const {
  const bool absent = index >= channels.size();
  if (tail == aotc_thumb2_fit)
    return absent ? std::vector<int32_t>(2)
                  : std::vector<int32_t>{fit.fits[index].mantissa, fit.fits[index].round};
  if (tail == aotc_thumb2_general)
    return {};
  if (absent)
    return std::vector<int32_t>(4);
  const IntChannel &channel = channels[index];
  if (channel.constant)
    return {0, 2 * *channel.constant, 1, 0}; // halved without a sign
  const auto right = uint32_t(-channel.multiplier.shift);
  const uint32_t zero = uint32_t(zeroPoint) << right;
  return {channel.multiplier.mantissa, int32_t((1u << (right - 1)) + zero), int32_t(right),
          int32_t(offsets[index])};
}

KernelData Thumb2Layer::biasData() const {
  std::vector<int32_t> words;
  for (int64_t offset : offsets)
    words.push_back(int32_t(uint32_t(offset)));
  return wordData("bias", words);
}

} // namespace aotc
