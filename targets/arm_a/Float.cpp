// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sides of the float32 layers for NEON (kernels/*_f32.h).
#include "targets/arm_a/Layers.h"
#include "targets/arm_a/kernels/conv_2d_f32.h"
#include "targets/arm_a/kernels/depthwise_conv_2d_f32.h"
#include "targets/arm_a/kernels/fully_connected_f32.h"
#include "targets/generic/Checks.h"
#include "targets/generic/FullyConnected.h"
#include "targets/generic/PixelBlock.h"
#include "targets/generic/Requantize.h"

#include <algorithm>

namespace aotc {

namespace {

/// The bits of a channel's bias; 0 where there is none.
int32_t biasBits(const OperatorDesc &op, int64_t channel) {
  const TensorDesc *bias = biasOf(op);
  return bias && channel < bias->elements() ? constantS32(*bias, channel) : 0;
}

KernelData alignedWords(std::string name, llvm::ArrayRef<int32_t> words) {
  KernelData data = wordData(std::move(name), words);
  data.align = 16;
  return data;
}

/// `count` rounded up to a multiple of a vector's four.
int64_t inVectors(int64_t count) { return (count + 3) / 4 * 4; }

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
  const int64_t filter = int64_t(shape.runs) * shape.run_length, padded = inVectors(shape.out_c);
  constexpr int64_t group = AOTC_CONV_2D_F32_NEON_GROUP;
  std::vector<int32_t> weights, biases; // bits of floats
  for (int64_t first = 0; first < padded; first += group)
    for (int64_t i = 0; i < filter; ++i)
      for (int64_t c = first; c < std::min(first + group, padded); ++c)
        weights.push_back(c < shape.out_c ? constantS32(op.inputs[1], c * filter + i) : 0);
  for (int64_t c = 0; c < padded; ++c)
    biases.push_back(biasBits(op, c));
  call.data = {alignedWords("weights", weights), alignedWords("bias", biases)};
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
  const int64_t taps = int64_t(shape.kernel_h) * shape.kernel_w, channels = shape.out_c;
  std::vector<int32_t> weights; // bits of floats
  for (int64_t first = 0; first < channels; first += group)
    for (int64_t t = -1; t < taps; ++t)
      for (int64_t c = first; c < first + group; ++c)
        weights.push_back(t < 0          ? biasBits(op, c)
                          : c < channels ? constantS32(op.inputs[1], t * channels + c)
                                         : 0);
  call.data = {alignedWords("weights", weights), neon::tapOffsets(shape, taps)};
  finish(call, op, shape);
  return call;
}

} // namespace depthwise_conv_2d_f32_neon

namespace fully_connected_f32_neon {

std::string reject(const OperatorDesc &op) {
  std::string reason = fully_connected_f32::reject(op);
  return reason.empty() && !op.inputs[1].isConstant ? "weights are not constant" : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
  const int64_t rows = op.inputs[0].elements() / inC, padded = inVectors(outC);
  constexpr int64_t group = AOTC_FULLY_CONNECTED_F32_NEON_GROUP;
  std::vector<int32_t> words; // bits of floats
  for (int64_t first = 0; first < padded; first += group)
    for (int64_t k = -1; k < inC; ++k)
      for (int64_t c = first; c < std::min(first + group, padded); ++c)
        words.push_back(k < 0      ? biasBits(op, c)
                        : c < outC ? constantS32(op.inputs[1], c * inC + k)
                                   : 0);
  call.data = {alignedWords("weights", words)};
  call.shape =
      paramWords(aotc_fully_connected_f32_neon_shape{int32_t(rows), int32_t(inC), int32_t(outC)});
  PixelWalk walk = pixelByPixel(rows, 4 * inC, 4 * outC, outC);
  walk.channelsAtOnce = group;
  call.overlaps = {overlapOf(walk)};
  return call;
}

} // namespace fully_connected_f32_neon

} // namespace aotc
