// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of DEPTHWISE_CONV_2D, int8, for NEON (kernels/depthwise_conv_2d_s8.h).
#include "targets/arm_a/Layers.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_s8.h"
#include "targets/generic/PixelBlock.h"
#include "targets/generic/kernels/conv_2d.h"

#include <cstring>

namespace aotc::depthwise_conv_2d_s8_neon {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = depthwise_conv_2d_s8::reject(op); !reason.empty())
    return reason;
  if (op.as<Conv2DOptions>().depthMultiplier != 1)
    return "depth multiplier is not 1";
  return rejectPixelBlock(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  aotc_conv_2d_s8_layer layer;
  std::memcpy(&layer, call.layer.data(), sizeof layer);
  constexpr int32_t group = AOTC_DEPTHWISE_NEON_CHANNELS;
  aotc_depthwise_conv_2d_neon_shape shape = {};
  shape.block = pixelBlock(op, call, AOTC_DEPTHWISE_NEON_PIXELS, group, 1);
  const std::vector<IntChannel> channels =
      intChannels(op.inputs[1].constant, shape.block.out_c, call.data[1].bytes, call.data[2].bytes,
                  /*depthwise=*/true);
  shape.requantize = neon::requantization(channels, layer.out_zero_point, layer.act_min);

  const auto taps = int64_t(channels[0].weights.size()), padded = (taps + 1) / 2 * 2;
  KernelData weights;
  weights.name = "weights";
  weights.align = 16;
  std::vector<int32_t> offsets;
  for (int64_t first = 0; first < shape.block.out_c; first += group)
    for (int64_t t = 0; t < padded; ++t)
      for (int64_t c = first; c < first + group; ++c)
        weights.bytes.push_back(c < shape.block.out_c && t < taps ? channels[c].weights[t] : 0);
  for (int64_t t = 0; t < padded; ++t) {
    const auto tap = int32_t(std::min(t, taps - 1));
    offsets.push_back(tap / shape.block.kernel_w * shape.block.run_step +
                      tap % shape.block.kernel_w * shape.block.dilation_w * shape.block.in_c);
  }
  shape.pairs = neon::pairsFit(weights.bytes, group);
  call.data = {std::move(weights), neon::channelWords(channels, group), wordData("taps", offsets)};
  call.shape = paramWords(shape);
  call.scratchBytes = pixelBlockElements(shape.block);
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block.block)};
  return call;
}

} // namespace aotc::depthwise_conv_2d_s8_neon
