// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_a/Layers.h"

#include "targets/arm_a/kernels/requantize_s8.h"

#include <algorithm>
#include <cstdlib>

namespace aotc::neon {

int32_t requantization(const std::vector<IntChannel> &channels, int32_t zeroPoint, int32_t min) {
  for (const IntChannel &channel : channels) {
    if (channel.multiplier.shift > 0)
      return AOTC_NEON_REQUANTIZE_ANY;
    // A shift to the right leaves 30 bits; without, the accumulator must.
    const auto [least, most] = channel.reach();
    constexpr int64_t limit = int64_t(1) << 30;
    if (channel.multiplier.shift == 0 && (least < -limit || most > limit))
      return AOTC_NEON_REQUANTIZE_ANY;
  }
  return min >= zeroPoint ? AOTC_NEON_REQUANTIZE_ONE_SIDE : AOTC_NEON_REQUANTIZE_RIGHT;
}

KernelData channelWords(const std::vector<IntChannel> &channels, int64_t multiple) {
  std::vector<int32_t> words;
  const int64_t count = (int64_t(channels.size()) + multiple - 1) / multiple * multiple;
  for (int64_t first = 0; first < count; first += 4) {
    auto append = [&](auto word) {
      for (int64_t c = first; c < first + 4; ++c)
        words.push_back(c < int64_t(channels.size()) ? word(channels[c]) : 0);
    };
    append([](const IntChannel &c) { return c.bias; });
    append([](const IntChannel &c) { return c.multiplier.mantissa; });
    append([](const IntChannel &c) { return std::min(c.multiplier.shift, 0); });
    append([](const IntChannel &c) { return std::max(c.multiplier.shift, 0); });
  }
  KernelData data = wordData("bias", words);
  data.align = 16;
  return data;
}

bool pairsFit(llvm::ArrayRef<char> weights, size_t distance) {
  for (size_t i = 0; i < weights.size(); ++i)
    if (i % (2 * distance) < distance &&
        128 * (std::abs(int(int8_t(weights[i]))) + std::abs(int(int8_t(weights[i + distance])))) >=
            1 << 15)
      return false;
  return true;
}

KernelData tapOffsets(const aotc_pixel_block_shape &block, int64_t count) {
  std::vector<int32_t> offsets;
  for (int64_t t = 0; t < count; ++t) {
    const auto tap = std::min(int32_t(t), block.kernel_h * block.kernel_w - 1);
    offsets.push_back(tap / block.kernel_w * block.run_step +
                      tap % block.kernel_w * block.dilation_w * block.in_c);
  }
  return wordData("taps", offsets);
}

} // namespace aotc::neon
