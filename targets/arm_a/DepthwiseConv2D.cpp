// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of DEPTHWISE_CONV_2D, int8, for NEON (kernels/depthwise_conv_2d_s8.h,
// depthwise_conv_2d_s8_3x3.h).
#include "targets/arm_a/Layers.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_s8.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_s8_3x3.h"
#include "targets/generic/DepthwiseBlocks.h"
#include "targets/generic/PixelBlock.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"

#include <algorithm>

namespace aotc {

namespace {

/// Channels computed together.
constexpr int32_t group = 8;

/// What both kernels' data begin with, and how they use them.
struct Packed {
  KernelData weights, channels;
  int32_t requantize, pairs;
};

/// `call`: as the portable host side prepared it.
Packed pack(const OperatorDesc &op, const KernelCall &call) {
  const auto layer = paramsOf<aotc_conv_2d_s8_layer>(call.layer);
  const int64_t count = op.outputs[0].shape[3];
  const std::vector<IntChannel> channels =
      intChannels(op.inputs[1].constant, count, call.data[1].bytes, call.data[2].bytes,
                  /*depthwise=*/true);
  Packed packed;
  packed.weights.name = "weights";
  packed.weights.align = 16;
  const auto taps = int64_t(channels[0].weights.size());
  for (int64_t first = 0; first < count; first += group)
    for (int64_t t = 0; t < taps + taps % 2; ++t)
      for (int64_t c = first; c < first + group; ++c)
        packed.weights.bytes.push_back(c < count && t < taps ? channels[c].weights[t] : 0);
  packed.channels = neon::channelWords(channels, group);
  packed.requantize = neon::requantization(channels, layer.out_zero_point, layer.act_min);
  packed.pairs = neon::pairsFit(packed.weights.bytes, group);
  return packed;
}

std::string rejectMultiplier(const OperatorDesc &op) {
  if (std::string reason = depthwise_conv_2d_s8::reject(op); !reason.empty())
    return reason;
  return op.as<Conv2DOptions>().depthMultiplier != 1 ? "depth multiplier is not 1" : "";
}

/// Pixels to compute at once: what costs least over a row, whose last ones are
/// computed twice. A block takes about as long as one pixel more.
int32_t chooseBlock(int32_t outW) {
  auto cost = [&](int32_t block) { return (outW + block - 1) / block * (block + 1); };
  int32_t best = std::min<int32_t>(outW, AOTC_DEPTHWISE_3X3_NEON_PIXELS);
  for (int32_t block = best - 1; block >= 3; --block)
    if (cost(block) <= cost(best))
      best = block;
  return best;
}

} // namespace

namespace depthwise_conv_2d_s8_3x3_neon {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectDepthwise3x3(op); !reason.empty())
    return reason;
  return op.inputs[1].shape[3] % group ? "channels are not a multiple of 8" : rejectPixelBlock(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  Packed packed = pack(op, call);
  const auto portable = paramsOf<aotc_depthwise_conv_2d_shape>(call.shape);
  aotc_depthwise_conv_2d_3x3_neon_shape shape = {};
  shape.in_w = portable.in_w;
  shape.channels = portable.in_c;
  shape.out_w = portable.out_w;
  shape.stride_h = portable.stride_h;
  shape.stride_w = portable.stride_w;
  shape.pad_left = portable.pad_left;
  shape.padded = portable.padded;
  shape.block = chooseBlock(shape.out_w);
  shape.requantize = packed.requantize;
  shape.pairs = packed.pairs;
  call.data = {std::move(packed.weights), std::move(packed.channels)};
  call.shape = paramWords(shape);
  if (shape.padded)
    call.scratchBytes = int64_t(3) * ((shape.block - 1) * shape.stride_w + 3) * group;
  call.overlaps = depthwiseBlockOverlaps(op, shape.block, group);
  return call;
}

} // namespace depthwise_conv_2d_s8_3x3_neon

namespace depthwise_conv_2d_s8_neon {

std::string reject(const OperatorDesc &op) {
  std::string reason = rejectMultiplier(op);
  return reason.empty() ? rejectPixelBlock(op) : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  Packed packed = pack(op, call);
  aotc_depthwise_conv_2d_neon_shape shape = {};
  shape.block = pixelBlock(op, AOTC_DEPTHWISE_NEON_PIXELS, group, 1);
  shape.requantize = packed.requantize;
  shape.pairs = packed.pairs;
  const int64_t taps = int64_t(shape.block.kernel_h) * shape.block.kernel_w;
  call.data = {std::move(packed.weights), std::move(packed.channels),
               neon::tapOffsets(shape.block, taps + taps % 2)};
  call.shape = paramWords(shape);
  call.scratchBytes = pixelBlockElements(shape.block);
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block.block)};
  return call;
}

} // namespace depthwise_conv_2d_s8_neon

} // namespace aotc
