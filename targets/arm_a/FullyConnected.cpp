// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED, int8, for NEON with and without dot products
// (kernels/fully_connected_s8.h).
#include "targets/generic/FullyConnected.h"

#include "targets/arm_a/Layers.h"
#include "targets/arm_a/kernels/fully_connected_s8.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/kernels/fully_connected.h"

#include <algorithm>

namespace aotc {

namespace neon {
namespace {

KernelData packWeights(const std::vector<IntChannel> &channels, int64_t inC) {
  constexpr int64_t group = AOTC_FULLY_CONNECTED_NEON_GROUP;
  KernelData data;
  data.name = "weights";
  data.align = 16;
  const auto count = int64_t(channels.size()), padded = (count + 3) / 4 * 4;
  for (int64_t first = 0; first < padded; first += group)
    for (int64_t k = 0; k < inC; k += 16)
      for (int64_t c = first; c < std::min(first + group, padded); ++c) {
        // What the last 16 inputs have in common with those before counts once.
        const int64_t at = inC >= 16 ? std::min(k, inC - 16) : 0;
        for (int64_t i = at; i < at + 16; ++i)
          data.bytes.push_back(c < count && i >= k && i < inC ? channels[c].weights[i] : 0);
      }
  return data;
}

llvm::Expected<KernelCall> prepareFullyConnected(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto layer = paramsOf<aotc_fully_connected_s8_layer>(call.layer);
  const auto &weightsShape = op.inputs[1].shape;
  aotc_fully_connected_neon_shape shape = {};
  shape.in_c = int32_t(weightsShape[1]);
  shape.out_c = int32_t(weightsShape[0]);
  shape.rows = int32_t(op.inputs[0].elements() / weightsShape[1]);
  const std::vector<IntChannel> channels =
      intChannels(op.inputs[1].constant, shape.out_c, call.data[0].bytes, call.data[1].bytes);
  shape.requantize = requantization(channels, layer.out_zero_point, layer.act_min);
  KernelData weights = packWeights(channels, shape.in_c);
  shape.pairs = pairsFit(weights.bytes, 8);
  call.data = {std::move(weights), channelWords(channels)};
  call.shape = paramWords(shape);
  PixelWalk walk = pixelByPixel(shape.rows, shape.in_c, shape.out_c, shape.out_c);
  walk.channelsAtOnce = AOTC_FULLY_CONNECTED_NEON_GROUP;
  call.overlaps = {overlapOf(walk)};
  return call;
}

} // namespace
} // namespace neon

namespace fully_connected_s8_neon {
std::string reject(const OperatorDesc &op) { return fully_connected_s8::rejectPacked(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return neon::prepareFullyConnected(op);
}
} // namespace fully_connected_s8_neon

namespace fully_connected_s8_neon_dot {
std::string reject(const OperatorDesc &op) { return fully_connected_s8::rejectPacked(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return neon::prepareFullyConnected(op);
}
} // namespace fully_connected_s8_neon_dot

} // namespace aotc
