// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/x86/Requantize.h"

#include "targets/x86/kernels/bytes_vnni.h"
#include "targets/x86/kernels/requantize_s8.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace aotc::x86 {

/// The lanes of h = floor(acc * mantissa / 2^30) in terms of acc's.
constexpr std::array<size_t, 8> productLanes = {0, 2, 1, 3, 4, 6, 5, 7};

Requantization::Requantization(std::vector<IntChannel> ofLayer, int32_t zeroPoint, int32_t min)
    : channels(std::move(ofLayer)), zeroPoint(zeroPoint) {
  mode = min >= zeroPoint ? AOTC_REQUANTIZE_ONE_SIDE : AOTC_REQUANTIZE_ONCE;
  for (const IntChannel &channel : channels) {
    // Four times any partial sum fits 31 bits; so does |h| < 2^30 plus the
    // constant.
    const int64_t largest = std::abs(int64_t(channel.bias)) + 128 * channel.absoluteSum();
    const int32_t shift = channel.multiplier.shift;
    if (shift > 0 || shift < -21 || largest >= int64_t(1) << 29)
      mode = AOTC_REQUANTIZE_ANY;
  }
}

const IntChannel &Requantization::at(int64_t channel) const {
  static const IntChannel absent = {};
  return channel < int64_t(channels.size()) ? channels[channel] : absent;
}

int32_t Requantization::constant(int64_t channel, bool below) const {
  const int32_t right = -at(channel).multiplier.shift;
  const int32_t half = right ? (1 << right) - (below ? 2 : 0) : 0;
  return 1 + half + zeroPoint * (1 << (right + 1));
}

void Requantization::append(std::vector<int32_t> &words,
                            const std::array<int64_t, 8> &lanes) const {
  const size_t first = words.size();
  for (int64_t c : lanes)
    words.push_back(at(c).bias * (mode == AOTC_REQUANTIZE_ANY ? 1 : 4));
  for (int64_t c : lanes)
    words.push_back(at(c).multiplier.mantissa);
  if (mode == AOTC_REQUANTIZE_ANY) {
    for (int64_t c : lanes)
      words.push_back(std::max(at(c).multiplier.shift, 0));
    for (int64_t c : lanes)
      words.push_back(std::max(-at(c).multiplier.shift, 0));
  } else {
    for (bool below : {false, true})
      for (size_t lane : productLanes)
        words.push_back(constant(lanes[lane], below));
    for (size_t lane : productLanes)
      words.push_back(1 - at(lanes[lane]).multiplier.shift);
  }
  words.resize(first + AOTC_CHANNEL_WORDS);
}

/// Of the weights; wraps, as accumulators do.
static uint32_t sumOf(const IntChannel &channel) {
  return std::accumulate(channel.weights.begin(), channel.weights.end(), uint32_t(0));
}

void Requantization::appendVectors(std::vector<int32_t> &words,
                                   llvm::ArrayRef<int64_t> lanes) const {
  const size_t first = words.size();
  for (int64_t c : lanes)
    words.push_back(int32_t(uint32_t(at(c).bias) - 128 * sumOf(at(c))));
  for (int64_t c : lanes)
    words.push_back(at(c).multiplier.mantissa);
  const bool any = mode == AOTC_REQUANTIZE_ANY;
  for (int64_t c : lanes)
    words.push_back(any ? std::max(at(c).multiplier.shift, 0) : constant(c, false));
  for (int64_t c : lanes)
    words.push_back(any ? std::max(-at(c).multiplier.shift, 0) : constant(c, true));
  for (int64_t c : lanes)
    words.push_back(1 - at(c).multiplier.shift);
  assert(words.size() - first == AOTC_CHANNEL_VECTORS * lanes.size());
  (void)first;
}

std::vector<std::array<int64_t, 8>> packingOrder(int64_t first, int64_t vectors) {
  std::vector<std::array<int64_t, 8>> order;
  for (int64_t v = 0; v < vectors; ++v) {
    const int64_t base = first + v / 2 * 16;
    const bool pair = v % 2 == 1 || v + 1 < vectors;
    std::array<int64_t, 8> lanes;
    for (size_t i = 0; i < 8; ++i) {
      const int64_t byte = pair ? int64_t(i) + (i < 4 ? 0 : 4) + 4 * (v % 2) : int64_t(i);
      lanes[productLanes[i]] = base + byte;
    }
    order.push_back(lanes);
  }
  return order;
}

} // namespace aotc::x86
