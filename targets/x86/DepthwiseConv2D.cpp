// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of DEPTHWISE_CONV_2D for AVX2, AVX-512 and AVX-512 VNNI (kernels/depthwise_conv_2d.h).
#include "targets/generic/Conv.h"
#include "targets/generic/PackFloats.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/x86/Requantize.h"
#include "targets/x86/kernels/depthwise_conv_2d.h"
#include "targets/x86/kernels/requantize_s8.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <array>

namespace aotc {
namespace {

aotc_depthwise_conv_2d_x86_shape shapeOf(const OperatorDesc &op) {
  return {windowOf(op), isPadded(op), 0};
}

int64_t tapsOf(const aotc_depthwise_conv_2d_x86_shape &shape) {
  return int64_t(shape.kernel_h) * shape.kernel_w;
}

/// A pointer of 8 bytes to each tap, a multiple of `multiple`, and a pixel of padding.
void addScratch(KernelCall &call, const aotc_depthwise_conv_2d_x86_shape &shape, int64_t multiple,
                int64_t elementBytes) {
  call.scratchBytes = int64_t(llvm::alignTo(tapsOf(shape), multiple)) * 8;
  if (shape.padded)
    call.scratchBytes += shape.in_c * elementBytes;
  call.scratchAlign = 16;
}

std::string rejectMultiplier(const OperatorDesc &op) {
  if (op.as<Conv2DOptions>().depthMultiplier != 1)
    return "depth multiplier is not 1";
  return rejectTapTable(op);
}

} // namespace

namespace {

/// A layer of int8: its weights by tap and channel, and how it is requantised.
struct Int8Layer {
  KernelCall call;
  aotc_depthwise_conv_2d_x86_shape shape;
  llvm::ArrayRef<char> weights;
  x86::Requantization requantization;

  /// 0 for taps and channels there are not.
  int weight(int64_t tap, int64_t channel) const {
    return tap < tapsOf(shape) && channel < shape.in_c
               ? int(int8_t(weights[tap * shape.in_c + channel]))
               : 0;
  }
};

llvm::Expected<Int8Layer> int8Layer(const OperatorDesc &op) {
  llvm::Expected<KernelCall> call = depthwise_conv_2d_s8::prepare(op);
  if (!call)
    return call.takeError();
  const auto layer = paramsOf<aotc_conv_2d_s8_layer>(call->layer);
  aotc_depthwise_conv_2d_x86_shape shape = shapeOf(op);
  const llvm::ArrayRef<char> weights = op.inputs[1].constant;
  x86::Requantization requantization(intChannels(weights, shape.in_c, call->data[1].bytes,
                                                 call->data[2].bytes, /*depthwise=*/true),
                                     layer.out_zero_point, layer.act_min);
  shape.requantize = requantization.how();
  call->shape = paramWords(shape);
  return Int8Layer{std::move(*call), shape, weights, std::move(requantization)};
}

} // namespace

namespace depthwise_conv_2d_s8_avx2 {

/// Channels of the registers a and b, and of the one of a group of eight.
using Lanes = std::array<int64_t, 8>;
constexpr Lanes lanesA = {0, 1, 2, 3, 8, 9, 10, 11}, lanesB = {4, 5, 6, 7, 12, 13, 14, 15},
                lanesAlone = {0, 1, 2, 3, 4, 5, 6, 7};

std::string reject(const OperatorDesc &op) {
  std::string reason = depthwise_conv_2d_s8::reject(op);
  return reason.empty() ? rejectMultiplier(op) : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Int8Layer> layer = int8Layer(op);
  if (!layer)
    return layer.takeError();
  const aotc_depthwise_conv_2d_x86_shape &shape = layer->shape;
  const int factor = shape.requantize == AOTC_REQUANTIZE_ANY ? 1 : 4;
  KernelData packed;
  packed.name = "weights";
  packed.align = 16;
  std::vector<int32_t> channels;
  for (int64_t first = 0; first < shape.in_c; first += 16) {
    std::vector<Lanes> group = {lanesA, lanesB};
    if (shape.in_c - first <= 8)
      group = {lanesAlone};
    for (int64_t t = 0; t < tapsOf(shape); t += 2)
      for (const Lanes &lanes : group)
        for (int64_t lane : lanes)
          for (int64_t tap : {t, t + 1}) {
            const int value = factor * layer->weight(tap, first + lane);
            packed.bytes.push_back(char(value));
            packed.bytes.push_back(char(value >> 8));
          }
    for (Lanes lanes : group) {
      for (int64_t &lane : lanes)
        lane += first;
      layer->requantization.append(channels, lanes);
    }
  }
  KernelCall &call = layer->call;
  call.data = {std::move(packed), wordData("bias", channels)};
  call.data[1].align = 16;
  addScratch(call, shape, 2, 1);
  return std::move(call);
}

} // namespace depthwise_conv_2d_s8_avx2

namespace depthwise_conv_2d_s8_avx512vnni {

std::string reject(const OperatorDesc &op) { return depthwise_conv_2d_s8_avx2::reject(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Int8Layer> layer = int8Layer(op);
  if (!layer)
    return layer.takeError();
  const aotc_depthwise_conv_2d_x86_shape &shape = layer->shape;
  KernelData packed;
  packed.name = "weights";
  packed.align = 64;
  std::vector<int32_t> channels;
  for (int64_t first = 0; first < shape.in_c; first += 64) {
    const int64_t left = shape.in_c - first, width = left > 32 ? 64 : left > 16 ? 32 : 16;
    // Four channels of each sixteen to a vector.
    std::array<llvm::SmallVector<int64_t>, 4> vectors;
    for (int64_t i = 0; i < width; ++i)
      vectors[i % 16 / 4].push_back(first + i);
    for (int64_t t = 0; t < tapsOf(shape); t += 4)
      for (const auto &lanes : vectors)
        for (int64_t c : lanes)
          for (int64_t tap = t; tap < t + 4; ++tap)
            packed.bytes.push_back(char(layer->weight(tap, c)));
    for (const auto &lanes : vectors)
      layer->requantization.appendVectors(channels, lanes);
  }
  KernelCall &call = layer->call;
  call.data = {std::move(packed), wordData("bias", channels)};
  call.data[1].align = 64;
  addScratch(call, shape, 4, 1);
  return std::move(call);
}

} // namespace depthwise_conv_2d_s8_avx512vnni

/// For vectors of `lanes` floats.
static llvm::Expected<KernelCall> prepareF32(const OperatorDesc &op, int64_t lanes) {
  llvm::Expected<KernelCall> base = depthwise_conv_2d_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const aotc_depthwise_conv_2d_x86_shape shape = shapeOf(op);
  call.data = {packBiasAndWeights(op, {lanes, lanes, 4 * lanes, /*depthwise=*/true})};
  call.shape = paramWords(shape);
  addScratch(call, shape, 2, 4);
  return call;
}

namespace depthwise_conv_2d_f32_avx2 {

std::string reject(const OperatorDesc &op) {
  std::string reason = depthwise_conv_2d_f32::reject(op);
  return reason.empty() ? rejectMultiplier(op) : reason;
}
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op, 8); }

} // namespace depthwise_conv_2d_f32_avx2

namespace depthwise_conv_2d_f32_avx512 {

std::string reject(const OperatorDesc &op) { return depthwise_conv_2d_f32_avx2::reject(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op, 16); }

} // namespace depthwise_conv_2d_f32_avx512

} // namespace aotc
