// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of the float32 layers for NEON (kernels/*_f32.h).
#include "targets/arm_a/Layers.h"
#include "targets/arm_a/kernels/conv_2d_f32.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_f32.h"
#include "targets/arm_a/kernels/fully_connected_f32.h"
#include "targets/generic/FullyConnected.h"
#include "targets/generic/PackFloats.h"
#include "targets/generic/PixelBlock.h"

namespace aotc {

namespace {

void finish(KernelCall &call, const OperatorDesc &op, const aotc_pixel_block_shape &shape) {
  call.shape = paramWords(shape);
  call.scratchBytes = 4 * pixelBlockElements(shape);
  call.scratchAlign = 16;
  call.overlaps = {pixelBlockOverlap(op, call, shape.block)};
}

} // namespace

namespace conv_2d_f32_neon {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = conv_2d_f32::reject(op); !reason.empty())
    return reason;
  return op.as<Conv2DOptions>().groups != 1 ? "has groups" : rejectPixelBlock(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const aotc_pixel_block_shape shape = pixelBlock(op, AOTC_CONV_2D_F32_NEON_PIXELS, 1, 1);
  const FloatPacking groups = {AOTC_CONV_2D_F32_NEON_GROUP, 4, 16};
  call.data = {packWeights(op, groups), packBias(op, groups)};
  finish(call, op, shape);
  return call;
}

} // namespace conv_2d_f32_neon

namespace depthwise_conv_2d_f32_neon {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = depthwise_conv_2d_f32::reject(op); !reason.empty())
    return reason;
  return op.as<Conv2DOptions>().depthMultiplier != 1 ? "depth multiplier is not 1"
                                                     : rejectPixelBlock(op);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  constexpr int32_t group = AOTC_DEPTHWISE_F32_NEON_CHANNELS;
  const aotc_pixel_block_shape shape = pixelBlock(op, AOTC_DEPTHWISE_F32_NEON_PIXELS, group, 1);
  const int64_t taps = int64_t(shape.kernel_h) * shape.kernel_w;
  call.data = {packBiasAndWeights(op, {group, group, 16, /*depthwise=*/true}),
               neon::tapOffsets(shape, taps)};
  finish(call, op, shape);
  return call;
}

} // namespace depthwise_conv_2d_f32_neon

namespace fully_connected_f32_neon {

std::string reject(const OperatorDesc &op) { return fully_connected_f32::rejectPacked(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  constexpr int64_t group = AOTC_FULLY_CONNECTED_F32_NEON_GROUP;
  call.data = {packBiasAndWeights(op, {group, 4, 16})};
  call.shape =
      paramWords(aotc_fully_connected_f32_neon_shape{int32_t(rows), int32_t(inC), int32_t(outC)});
  PixelWalk walk = pixelByPixel(rows, 4 * inC, 4 * outC, outC);
  walk.channelsAtOnce = group;
  call.overlaps = {overlapOf(walk)};
  return call;
}

} // namespace fully_connected_f32_neon

} // namespace aotc
