// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for Armv8.1-M with Helium: 3x3, and any
// window.
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/mve/Mve.h"
#include "targets/arm_m/mve/kernels/depthwise_conv_2d_mve.h"
#include "targets/generic/Conv.h"
#include "targets/generic/DepthwiseBlocks.h"

namespace aotc {

namespace {

constexpr int64_t lanes = 16; ///< channels computed together

/// Products of two taps are added in 16 bits.
bool pairsFit(llvm::ArrayRef<int8_t> weights) {
  for (size_t tap = 0; tap + 1 < weights.size(); tap += 2)
    if (std::abs(weights[tap]) + std::abs(weights[tap + 1]) > 255)
      return false;
  return true;
}

/// Pixels that share a vector.
int64_t pixelsOf(const OperatorDesc &op) {
  const int64_t channels = op.inputs[0].shape[3];
  return op.as<Conv2DOptions>().strideW == 1 && lanes % channels == 0 ? lanes / channels : 1;
}

/// The channels of 16 lanes, in the order of the sums' vectors.
constexpr int sumOrder[lanes] = {0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15};

KernelData depthwiseStream(const MveLayer &layer, int64_t pixels) {
  const int64_t channels = int64_t(layer.channels.size());
  KernelData stream;
  stream.name = "weights";
  for (int64_t first = 0; first < channels * pixels; first += lanes) {
    auto channel = [&](int64_t lane) { // a number behind the last: none
      return size_t(pixels > 1 ? lane % channels : first + lane);
    };
    auto vectors = [&](int vector) {
      for (int lane : sumOrder)
        appendWord(stream, mveTailWords(layer, channel(lane))[vector]);
    };
    for (int tap = 0; tap < 9; ++tap) {
      if (tap == 2) // the first pair of taps hides its time
        vectors(0);
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const size_t c = channel(lane);
        stream.bytes.push_back(c < layer.channels.size() ? char(layer.channels[c].weights[tap])
                                                         : char(0));
      }
    }
    // The tail's other vectors, sum by sum.
    for (int sum = 0; sum < 4; ++sum)
      for (int vector = 1; vector < aotc_mve_tail_vectors[layer.tail]; ++vector)
        for (int i = 0; i < 4; ++i)
          appendWord(stream, mveTailWords(layer, channel(sumOrder[4 * sum + i]))[vector]);
  }
  return stream;
}

/// `group`: as mveLayer() takes it.
MveLayer layerOf(const OperatorDesc &op, const KernelCall &portable, int64_t group) {
  return mveLayer(depthwiseChannels(op, portable), int32_t(op.outputs[0].quant.zeroPoint()),
                  depthwiseClamp(op), group);
}

std::string rejectPairs(const OperatorDesc &op) {
  for (const IntChannel &channel :
       intChannels(op.inputs[1].constant, op.outputs[0].shape[3], {}, {}, true))
    if (!pairsFit(channel.weights))
      return "two products do not fit 16 bits (-128)";
  return "";
}

} // namespace

namespace depthwise_conv_2d_s8_3x3_mve {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwise3x3(op); !reason.empty())
    return reason;
  const int64_t channels = op.inputs[0].shape[3];
  if (channels % 4)
    return "channels are not a multiple of 4";
  return rejectPairs(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto &options = op.as<Conv2DOptions>();
  const int64_t channels = op.inputs[0].shape[3];
  const MveLayer layer = layerOf(op, call, 4);
  const int64_t pixels = pixelsOf(op);
  call.data = {depthwiseStream(layer, pixels), zeroPoints(op, lanes)};
  call.shape = paramWords(aotc_depthwise_conv_2d_3x3_mve_shape{
      layer.tail, pixels * channels == lanes, int32_t(options.strideH)});
  call.layer = paramWords(aotc_depthwise_conv_2d_3x3_mve_layer{
      int32_t(op.inputs[0].shape[2]), int32_t(channels), int32_t(options.strideW),
      int32_t(options.padding.left), int32_t(op.outputs[0].shape[2]), int32_t(pixels),
      layer.output});
  call.overlaps = depthwiseBlockOverlaps(op, 1, lanes);
  return call;
}

} // namespace depthwise_conv_2d_s8_3x3_mve

namespace depthwise_conv_2d_s8_mve {

/// Places of a group's outputs are bytes.
constexpr int64_t mostMultiplier = 255 / (lanes - 1);

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwiseWindow(op); !reason.empty())
    return reason;
  if (op.as<Conv2DOptions>().depthMultiplier > mostMultiplier)
    return "depth multiplier is above " + std::to_string(mostMultiplier);
  return rejectPairs(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  // The kernel has predicates for a group of fewer channels.
  const int64_t multiplier = op.as<Conv2DOptions>().depthMultiplier;
  return prepareDepthwiseWindow(op, lanes, [&](const KernelCall &portable) {
    const MveLayer layer = layerOf(op, portable, 1);
    DepthwiseStream stream = {layer.tail, 0, multiplier == 1, {}, paramWords(layer.output)};
    stream.data.name = "weights";
    const int64_t inC = op.inputs[0].shape[3];
    const size_t taps = layer.channels[0].weights.size();
    for (int64_t first = 0; first < inC; first += lanes)
      for (int64_t j = 0; j < multiplier; ++j) {
        // A number behind the last: none.
        auto channel = [&](int64_t lane) {
          return first + lane < inC ? size_t((first + lane) * multiplier + j)
                                    : layer.channels.size();
        };
        for (int sum = 0; sum < 4; ++sum)
          for (int vector = 0; vector < aotc_mve_tail_vectors[layer.tail]; ++vector)
            for (int i = 0; i < 4; ++i)
              appendWord(stream.data, mveTailWords(layer, channel(sumOrder[4 * sum + i]))[vector]);
        for (size_t tap = 0; tap < taps + taps % 2; ++tap)
          for (int64_t lane = 0; lane < lanes; ++lane) {
            const size_t c = channel(lane);
            stream.data.bytes.push_back(c < layer.channels.size() && tap < taps
                                            ? char(layer.channels[c].weights[tap])
                                            : char(0));
          }
      }
    return stream;
  });
}

} // namespace depthwise_conv_2d_s8_mve

} // namespace aotc
