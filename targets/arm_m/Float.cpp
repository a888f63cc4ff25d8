// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED, float32, for
// Cortex-M: the levels fpu and mve (kernels/*_f32.h).
#include "targets/arm_m/DepthwiseWindow.h"
#include "targets/arm_m/kernels/conv_2d_f32.h"
#include "targets/arm_m/kernels/depthwise_conv_2d_f32.h"
#include "targets/arm_m/kernels/fully_connected_f32.h"
#include "targets/generic/Conv.h"
#include "targets/generic/FullyConnected.h"
#include "targets/generic/PackFloats.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"
#include "targets/generic/kernels/fully_connected.h"

namespace aotc {
namespace {

KernelData zeros(int64_t count) { return wordData("zeros", std::vector<int32_t>(count)); }

/// Results of a block, if its channels come in several groups.
int64_t resultBytes(int64_t channels) {
  return channels > AOTC_CONV_F32_CHANNELS ? 4 * AOTC_CONV_F32_PIXELS * channels : 0;
}

OverlapRule overlapRule(const OperatorDesc &op, const KernelCall &call) {
  PixelWalk walk = convolutionWalk(op, *call.rows);
  walk.pixelsAtOnce = AOTC_CONV_F32_PIXELS;
  walk.restAtOnce = true;
  return overlapOf(walk);
}

} // namespace

namespace conv_2d_f32_arm_m {

std::string reject(const OperatorDesc &op) {
  std::string reason = conv_2d_f32::reject(op);
  if (reason.empty() && op.as<Conv2DOptions>().groups != 1)
    return "has groups";
  return reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto s = paramsOf<aotc_conv_2d_shape>(call.shape);
  const auto range = paramsOf<aotc_conv_2d_f32_layer>(call.layer);
  call.data = {packBiasAndWeights(op, {AOTC_CONV_F32_CHANNELS, AOTC_CONV_F32_CHANNELS})};
  if (s.padded)
    call.data.push_back(zeros(s.in_c));
  call.shape = paramWords(aotc_conv_2d_f32_arm_m_shape{s.padded});
  call.layer = paramWords(aotc_conv_2d_f32_arm_m_layer{
      s.in_w, s.in_c, s.out_w, s.out_c, s.kernel_h, s.kernel_w, s.stride_h, s.stride_w,
      s.dilation_h, s.dilation_w, s.pad_left, range.act_min_bits, range.act_max_bits});
  call.scratchBytes = resultBytes(s.out_c);
  call.overlaps = {overlapRule(op, call)};
  return call;
}

} // namespace conv_2d_f32_arm_m

namespace depthwise_conv_2d_f32_arm_m {

std::string reject(const OperatorDesc &op) {
  std::string reason = depthwise_conv_2d_f32::reject(op);
  if (reason.empty() && op.as<Conv2DOptions>().depthMultiplier != 1)
    return "depth multiplier is not 1";
  return reason.empty() ? rejectTapTable(op) : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const auto s = paramsOf<aotc_depthwise_conv_2d_shape>(call.shape);
  const auto range = paramsOf<aotc_conv_2d_f32_layer>(call.layer);
  const int64_t taps = int64_t(s.kernel_h) * s.kernel_w;
  call.data = {packBiasAndWeights(
      op, {AOTC_CONV_F32_CHANNELS, AOTC_CONV_F32_CHANNELS, 4, /*depthwise=*/true})};
  if (s.padded)
    call.data.push_back(zeros(s.in_c));
  call.shape = paramWords(aotc_depthwise_conv_2d_f32_arm_m_shape{s.padded});
  call.layer = paramWords(aotc_depthwise_conv_2d_f32_arm_m_layer{
      s.in_w, s.in_c, s.out_w, s.kernel_h, s.kernel_w, s.stride_h, s.stride_w, s.dilation_h,
      s.dilation_w, s.pad_left, range.act_min_bits, range.act_max_bits});
  call.scratchBytes = resultBytes(s.in_c) + 4 * AOTC_CONV_F32_PIXELS * taps;
  call.overlaps = {overlapRule(op, call)};
  return call;
}

} // namespace depthwise_conv_2d_f32_arm_m

/// One input channel: a CONV_2D. A level's rows share its device function.
#define AOTC_SINGLE_CHANNEL(Level)                                                                 \
  namespace depthwise_conv_2d_f32_one_##Level {                                                    \
    std::string reject(const OperatorDesc &op) {                                                   \
      return rejectFewChannels(op, 1, depthwise_conv_2d_f32::reject, conv_2d_f32_arm_m::reject);   \
    }                                                                                              \
    llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {                                   \
      return prepareFewChannels(op, conv_2d_f32_arm_m::prepare, "aotc_conv_2d_f32__" #Level);      \
    }                                                                                              \
  }
AOTC_SINGLE_CHANNEL(fpu)
AOTC_SINGLE_CHANNEL(mve)
#undef AOTC_SINGLE_CHANNEL

namespace fully_connected_f32_arm_m {

std::string reject(const OperatorDesc &op) { return fully_connected_f32::rejectPacked(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  constexpr int64_t group = AOTC_FULLY_CONNECTED_F32_ARM_M_GROUP;
  const auto range = paramsOf<aotc_fully_connected_f32_layer>(call.layer);
  const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  call.data = {packBiasAndWeights(op, {group, group})};
  call.shape.clear();
  call.layer = paramWords(aotc_fully_connected_f32_arm_m_layer{
      int32_t(rows), int32_t(inC), int32_t(outC), range.act_min_bits, range.act_max_bits});
  PixelWalk walk = pixelByPixel(rows, inC * 4, outC * 4, outC);
  walk.channelsAtOnce = group;
  call.overlaps = {overlapOf(walk)};
  return call;
}

} // namespace fully_connected_f32_arm_m

} // namespace aotc
