// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/x86/Requantize.h"

#include "targets/x86/kernels/bytes_vnni.h"
#include "targets/x86/kernels/requantize_s8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>

namespace aotc::x86 {

/// The lanes of h = floor(acc * mantissa / 2^30) in terms of acc's.
constexpr std::array<size_t, 8> productLanes = {0, 2, 1, 3, 4, 6, 5, 7};

static int32_t wordAt(const KernelData &data, size_t index) {
  return int32_t(llvm::support::endian::read32le(data.bytes.data() + 4 * index));
}

Requantization::Requantization(const KernelData &bias, const KernelData &multipliers,
                               llvm::ArrayRef<int64_t> weightSums, int32_t zeroPoint, int32_t min)
    : zeroPoint(zeroPoint) {
  const bool perChannel = multipliers.bytes.size() > 8;
  for (size_t c = 0; c < weightSums.size(); ++c) {
    const size_t at = perChannel ? 2 * c : 0;
    channels.push_back({wordAt(bias, c), wordAt(multipliers, at), wordAt(multipliers, at + 1)});
  }
  mode = min >= zeroPoint ? AOTC_REQUANTIZE_ONE_SIDE : AOTC_REQUANTIZE_ONCE;
  for (auto [channel, sum] : llvm::zip(channels, weightSums)) {
    // Four times any partial sum fits 31 bits; so does |h| < 2^30 plus the
    // constant.
    const int64_t largest = std::abs(int64_t(channel.bias)) + 128 * sum;
    if (channel.shift > 0 || channel.shift < -21 || largest >= int64_t(1) << 29)
      mode = AOTC_REQUANTIZE_ANY;
  }
}

Requantization::Channel Requantization::at(int64_t channel) const {
  return channel < int64_t(channels.size()) ? channels[channel] : Channel{};
}

int32_t Requantization::constant(const Channel &channel, bool below) const {
  const int32_t right = -channel.shift;
  const int32_t half = right ? (1 << right) - (below ? 2 : 0) : 0;
  return 1 + half + zeroPoint * (1 << (right + 1));
}

void Requantization::append(std::vector<int32_t> &words,
                            const std::array<int64_t, 8> &lanes) const {
  const size_t first = words.size();
  for (int64_t c : lanes)
    words.push_back(at(c).bias * (mode == AOTC_REQUANTIZE_ANY ? 1 : 4));
  for (int64_t c : lanes)
    words.push_back(at(c).mantissa);
  if (mode == AOTC_REQUANTIZE_ANY) {
    for (int64_t c : lanes)
      words.push_back(std::max(at(c).shift, 0));
    for (int64_t c : lanes)
      words.push_back(std::max(-at(c).shift, 0));
  } else {
    for (bool below : {false, true})
      for (size_t lane : productLanes)
        words.push_back(constant(at(lanes[lane]), below));
    for (size_t lane : productLanes)
      words.push_back(1 - at(lanes[lane]).shift);
  }
  words.resize(first + AOTC_CHANNEL_WORDS);
}

void Requantization::appendVectors(std::vector<int32_t> &words, llvm::ArrayRef<int64_t> lanes,
                                   llvm::function_ref<int64_t(int64_t)> weights) const {
  const size_t first = words.size();
  for (int64_t c : lanes) // wraps, as the sums do
    words.push_back(int32_t(uint32_t(at(c).bias) - 128 * uint32_t(weights(c))));
  for (int64_t c : lanes)
    words.push_back(at(c).mantissa);
  const bool any = mode == AOTC_REQUANTIZE_ANY;
  for (int64_t c : lanes)
    words.push_back(any ? std::max(at(c).shift, 0) : constant(at(c), false));
  for (int64_t c : lanes)
    words.push_back(any ? std::max(-at(c).shift, 0) : constant(at(c), true));
  for (int64_t c : lanes)
    words.push_back(1 - at(c).shift);
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
