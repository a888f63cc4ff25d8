// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/PackFloats.h"

#include "targets/generic/Checks.h"
#include "targets/generic/Requantize.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace aotc {
namespace {

constexpr int64_t biasTap = -1;

/// Taps `first` to `end` of all groups, as bits.
std::vector<int32_t> pack(const OperatorDesc &op, const FloatPacking &packing, int64_t first,
                          int64_t end) {
  const TensorDesc &weights = op.inputs[1], *bias = biasOf(op);
  const int64_t channels = packing.depthwise ? weights.shape.back() : weights.shape.front();
  const int64_t taps = weights.elements() / channels;
  auto word = [&](int64_t channel, int64_t tap) {
    if (channel >= channels)
      return 0;
    if (tap == biasTap)
      return bias ? constantS32(*bias, channel) : 0;
    return constantS32(weights,
                       packing.depthwise ? tap * channels + channel : channel * taps + tap);
  };
  std::vector<int32_t> words;
  const auto padded = int64_t(llvm::alignTo(channels, packing.vector));
  for (int64_t group = 0; group < padded; group += packing.group)
    for (int64_t tap = first; tap < std::min(end, taps); ++tap)
      for (int64_t c = group; c < std::min(group + packing.group, padded); ++c)
        words.push_back(word(c, tap));
  return words;
}

KernelData aligned(KernelData data, const FloatPacking &packing) {
  data.align = packing.align;
  return data;
}

} // namespace

KernelData packBias(const OperatorDesc &op, const FloatPacking &packing) {
  return aligned(wordData("bias", pack(op, packing, biasTap, biasTap + 1)), packing);
}

KernelData packWeights(const OperatorDesc &op, const FloatPacking &packing) {
  return aligned(wordData("weights", pack(op, packing, 0, INT64_MAX)), packing);
}

KernelData packBiasAndWeights(const OperatorDesc &op, const FloatPacking &packing) {
  return aligned(wordData("weights", pack(op, packing, biasTap, INT64_MAX)), packing);
}

} // namespace aotc
