// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/arm_m/dsp/Dsp.h"

#include "targets/arm_m/SharedShift.h"

#include "llvm/ADT/STLExtras.h"

namespace aotc {

std::string rejectDspSums(const std::vector<IntChannel> &channels, bool pairs) {
  for (size_t c = 0; c < channels.size(); ++c) {
    // 128 * sum < 2^23, so that 256*U fits 32 bits (the bias is added later
    // where it would not).
    if (channels[c].absoluteSum() >= 65536)
      return "sums may exceed 23 bits";
    if (!pairs || c % 2 || c + 1 == channels.size())
      continue;
    const auto &u = channels[c].weights, &v = channels[c + 1].weights;
    for (size_t i = 0; i < u.size(); ++i)
      if (u[i] == -128 && v[i] < 0)
        return "a pair of weights does not fit 16 bits (-128)";
  }
  return "";
}

static DspTail chooseTail(const std::vector<IntChannel> &channels, int32_t zeroPoint,
                          ClampRange range) {
  if (auto fit = fitSharedShift(channels, zeroPoint, range, aotc_dsp_shifts))
    return {aotc_dsp_fit, fit->up, std::move(fit->fits)};
  if (range.min == -128 && range.max == 127 && llvm::all_of(channels, roundsAway))
    return {aotc_dsp_away, 0, {}};
  return {};
}

DspLayer dspLayer(std::vector<IntChannel> channels, int32_t zeroPoint, ClampRange range) {
  foldConstantChannels(channels, zeroPoint, range);
  DspTail tail = chooseTail(channels, zeroPoint, range);
  return {std::move(channels), zeroPoint, std::move(tail)};
}

DspParameters dspParameters(const DspLayer &layer, size_t index) {
  const IntChannel &channel = layer.channels[index];
  DspParameters result;
  if (layer.tail.kind == aotc_dsp_general)
    return result;
  if (!channel.constant)
    result.start = channel.bias;
  if (layer.tail.kind == aotc_dsp_fit) {
    const AffineFit &fit = layer.tail.fits[index];
    result.words = {fit.mantissa, fit.round, 0};
  } else if (channel.constant) {
    result.words = {0, 2 * *channel.constant, 1}; // halved without a sign
  } else {
    const auto right = uint32_t(-channel.multiplier.shift);
    const uint32_t zero = uint32_t(layer.zeroPoint) << right;
    result.words = {channel.multiplier.mantissa, int32_t((1u << (right - 1)) + zero),
                    int32_t(right)};
  }
  return result;
}

KernelData dspStream(const DspLayer &layer, llvm::ArrayRef<int32_t> order, int group) {
  const std::vector<IntChannel> &channels = layer.channels;
  DspStream stream;
  for (size_t first = 0; first < channels.size(); first += group) {
    DspParameters parameters[8];
    for (int i = 0; i < group; ++i)
      if (first + i < channels.size())
        parameters[i] = dspParameters(layer, first + i);
    for (int i = 0; i < group; i += 2) {
      const auto u = uint32_t(parameters[i].start), v = uint32_t(parameters[i + 1].start);
      stream.word(256 * u + v);
      stream.word(v);
    }
    auto weight = [&](size_t channel, int32_t tap) -> int {
      return channel < channels.size() && tap >= 0 ? channels[channel].weights[tap] : 0;
    };
    for (size_t h = 0; h < order.size(); h += 2)
      for (int i = 0; i < group; i += 2) {
        auto half = [&](int32_t tap) {
          return 256 * weight(first + i, tap) + weight(first + i + 1, tap);
        };
        stream.halves(half(order[h]), half(order[h + 1]));
      }
    for (int i = 0; i < group; i += 2) {
      const DspParameters &u = parameters[i], &v = parameters[i + 1];
      if (layer.tail.kind == aotc_dsp_fit)
        for (int32_t word : {u.words[0], v.words[0], u.words[1], v.words[1]})
          stream.word(uint32_t(word));
      if (layer.tail.kind == aotc_dsp_away)
        for (const DspParameters *p : {&u, &v})
          for (int32_t word : p->words)
            stream.word(uint32_t(word));
    }
  }
  return wordData("weights", stream.all());
}

} // namespace aotc
