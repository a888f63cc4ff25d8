// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/Channels.h"

#include "targets/generic/kernels/fixed_point.h"

#include "llvm/Support/Endian.h"

#include <algorithm>

namespace aotc {

int64_t IntChannel::absoluteSum() const {
  int64_t sum = 0;
  for (int8_t w : weights)
    sum += std::abs(int(w));
  return sum;
}

std::pair<int64_t, int64_t> IntChannel::reach() const {
  int64_t least = bias, most = bias;
  for (int8_t w : weights) {
    least += std::min(-128 * w, 127 * w);
    most += std::max(-128 * w, 127 * w);
  }
  return {least, most};
}

static int32_t wordAt(llvm::ArrayRef<char> bytes, size_t index) {
  return llvm::support::endian::read32le(bytes.data() + 4 * index);
}

std::vector<IntChannel> intChannels(llvm::ArrayRef<char> weights, int64_t count,
                                    llvm::ArrayRef<char> bias, llvm::ArrayRef<char> multipliers,
                                    bool depthwise) {
  const size_t taps = weights.size() / count;
  const bool perChannel = multipliers.size() > 8;
  std::vector<IntChannel> channels(count);
  for (size_t c = 0; c < size_t(count); ++c) {
    IntChannel &channel = channels[c];
    for (size_t k = 0; k < taps; ++k)
      channel.weights.push_back(int8_t(weights[depthwise ? k * count + c : c * taps + k]));
    if (!bias.empty())
      channel.bias = wordAt(bias, c);
    const size_t m = perChannel ? 2 * c : 0;
    if (!multipliers.empty())
      channel.multiplier = {wordAt(multipliers, m), wordAt(multipliers, m + 1)};
  }
  return channels;
}

/// The output for one accumulator, wrapping like the portable kernel.
static int32_t outputOf(const IntChannel &channel, int64_t acc, int32_t zeroPoint,
                        ClampRange range) {
  return aotc_requantize_s8(uint32_t(acc), {channel.multiplier.mantissa, channel.multiplier.shift},
                            1, zeroPoint, range.min, range.max);
}

void foldConstantChannels(std::vector<IntChannel> &channels, int32_t zeroPoint, ClampRange range) {
  for (IntChannel &channel : channels) {
    const auto [least, most] = channel.reach();
    // Where nothing wraps, outputs rise with accumulators.
    const int64_t limit = channel.multiplier.shift < 0
                              ? int64_t(1) << 31
                              : (int64_t(1) << 30) >> channel.multiplier.shift;
    const bool rises = least >= -limit && most < limit;
    const int32_t value = outputOf(channel, least, zeroPoint, range);
    if (channel.multiplier.mantissa != 0 && least != most &&
        !(rises && value == outputOf(channel, most, zeroPoint, range)))
      continue;
    channel.constant = value;
    std::fill(channel.weights.begin(), channel.weights.end(), 0);
  }
}

} // namespace aotc
