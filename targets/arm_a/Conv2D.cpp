// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of CONV_2D, int8, for NEON with and without dot products
// (kernels/conv_2d_s8.h).
#include "targets/arm_a/Layers.h"
#include "targets/arm_a/kernels/conv_2d_s8.h"
#include "targets/generic/PixelBlock.h"
#include "targets/generic/kernels/conv_2d.h"

#include <algorithm>

namespace aotc {

namespace neon {
namespace {

/// The weights of channels in groups of `group` (the last: a multiple of four),
/// and of their runs, `unit` elements of each at a time.
KernelData packWeights(const std::vector<IntChannel> &channels, const aotc_pixel_block_shape &block,
                       int64_t group, int64_t unit) {
  KernelData data;
  data.name = "weights";
  data.align = 16;
  const auto count = int64_t(channels.size()), padded = (count + 3) / 4 * 4;
  for (int64_t first = 0; first < padded; first += group)
    for (int64_t r = 0; r < block.runs; ++r)
      for (int64_t i = 0; i < block.run_length; i += unit)
        for (int64_t c = first; c < std::min(first + group, padded); ++c)
          for (int64_t k = i; k < i + unit; ++k)
            data.bytes.push_back(c < count && k < block.run_length
                                     ? channels[c].weights[r * block.run_length + k]
                                     : 0);
  return data;
}

std::string rejectConv(const OperatorDesc &op) {
  if (std::string reason = conv_2d_s8::reject(op); !reason.empty())
    return reason;
  return op.as<Conv2DOptions>().groups != 1 ? "has groups" : rejectPixelBlock(op);
}

/// `dot`: for the instructions SDOT.
llvm::Expected<KernelCall> prepareConv(const OperatorDesc &op, bool dot) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto layer = paramsOf<aotc_conv_2d_s8_layer>(call.layer);
  const int32_t unit = dot ? 4 : AOTC_CONV_2D_NEON_VECTOR;
  aotc_conv_2d_neon_shape shape = {};
  shape.block = pixelBlock(op, AOTC_CONV_2D_NEON_PIXELS, AOTC_CONV_2D_NEON_VECTOR, unit);
  const std::vector<IntChannel> channels =
      intChannels(op.inputs[1].constant, shape.block.out_c, call.data[1].bytes, call.data[2].bytes);
  shape.requantize = requantization(channels, layer.out_zero_point, layer.act_min);
  KernelData weights = packWeights(channels, shape.block, dot ? 16 : 4, unit);
  shape.pairs = dot || pairsFit(weights.bytes, 8);
  call.data = {std::move(weights), channelWords(channels)};
  call.shape = paramWords(shape);
  call.scratchBytes = pixelBlockElements(shape.block);
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block.block)};
  return call;
}

} // namespace
} // namespace neon

namespace conv_2d_s8_neon {
std::string reject(const OperatorDesc &op) { return neon::rejectConv(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return neon::prepareConv(op, false); }
} // namespace conv_2d_s8_neon

namespace conv_2d_s8_neon_dot {
std::string reject(const OperatorDesc &op) { return neon::rejectConv(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return neon::prepareConv(op, true); }
} // namespace conv_2d_s8_neon_dot

namespace depthwise_conv_2d_s8_one_neon {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, 1, depthwise_conv_2d_s8::reject, conv_2d_s8_neon::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_neon::prepare, "aotc_conv_2d_s8__neon");
}

} // namespace depthwise_conv_2d_s8_one_neon

namespace depthwise_conv_2d_s8_one_neon_dot {

std::string reject(const OperatorDesc &op) {
  return rejectFewChannels(op, 1, depthwise_conv_2d_s8::reject, conv_2d_s8_neon_dot::reject);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  return prepareFewChannels(op, conv_2d_s8_neon_dot::prepare, "aotc_conv_2d_s8__neon_dot");
}

} // namespace depthwise_conv_2d_s8_one_neon_dot

} // namespace aotc
