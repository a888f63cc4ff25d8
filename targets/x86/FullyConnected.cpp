// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED for AVX2, AVX-512 and AVX-512 VNNI (kernels/fully_connected.h).
#include "targets/generic/FullyConnected.h"

#include "targets/generic/Overlap.h"
#include "targets/generic/PackFloats.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/x86/Requantize.h"
#include "targets/x86/kernels/fully_connected.h"
#include "targets/x86/kernels/requantize_s8.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace aotc {
namespace {

aotc_fully_connected_x86_shape shapeOf(const OperatorDesc &op) {
  const auto &weights = op.inputs[1].shape;
  aotc_fully_connected_x86_shape shape = {};
  shape.in_c = int32_t(weights[1]);
  shape.out_c = int32_t(weights[0]);
  shape.rows = int32_t(op.inputs[0].elements() / weights[1]);
  return shape;
}

OverlapRule overlapRule(const aotc_fully_connected_x86_shape &shape, int64_t elementBytes) {
  PixelWalk walk =
      pixelByPixel(shape.rows, shape.in_c * elementBytes, shape.out_c * elementBytes, shape.out_c);
  walk.channelsAtOnce = AOTC_FULLY_CONNECTED_GROUP;
  return overlapOf(walk);
}

/// Calls visit(first, vectors of `lanes`) for each group of output channels.
template <typename Visit> void forGroups(int64_t outC, int64_t lanes, Visit visit) {
  for (int64_t c = 0; c < outC; c += AOTC_FULLY_CONNECTED_GROUP)
    visit(c, (std::min<int64_t>(outC - c, AOTC_FULLY_CONNECTED_GROUP) + lanes - 1) / lanes);
}

/// A layer of int8 and how it is requantised.
struct Int8Layer {
  KernelCall call;
  aotc_fully_connected_x86_shape shape;
  x86::Requantization requantization;
};

llvm::Expected<Int8Layer> int8Layer(const OperatorDesc &op) {
  llvm::Expected<KernelCall> call = fully_connected_s8::prepare(op);
  if (!call)
    return call.takeError();
  const auto layer = paramsOf<aotc_fully_connected_s8_layer>(call->layer);
  aotc_fully_connected_x86_shape shape = shapeOf(op);
  x86::Requantization requantization(
      intChannels(op.inputs[1].constant, shape.out_c, call->data[0].bytes, call->data[1].bytes),
      layer.out_zero_point, layer.act_min);
  shape.requantize = requantization.how();
  call->shape = paramWords(shape);
  call->overlaps = {overlapRule(shape, 1)};
  return Int8Layer{std::move(*call), shape, std::move(requantization)};
}

} // namespace

namespace fully_connected_s8_avx2 {

std::string reject(const OperatorDesc &op) { return fully_connected_s8::rejectPacked(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Int8Layer> layer = int8Layer(op);
  if (!layer)
    return layer.takeError();
  const auto &[call, shape, requantization] = *layer;
  const llvm::ArrayRef<char> weights = op.inputs[1].constant;
  KernelData packed;
  packed.name = "weights";
  packed.align = 16;
  std::vector<int32_t> channels;
  forGroups(shape.out_c, 8, [&](int64_t first, int64_t vectors) {
    const auto order = x86::packingOrder(first, vectors);
    for (int64_t k = 0; k < shape.in_c; k += 2)
      for (const auto &lanes : order)
        for (int64_t c : lanes)
          for (int64_t i = k; i < k + 2; ++i)
            packed.bytes.push_back(c < shape.out_c && i < shape.in_c ? weights[c * shape.in_c + i]
                                                                     : 0);
    for (const auto &lanes : order)
      requantization.append(channels, lanes);
  });
  layer->call.data = {std::move(packed), wordData("bias", channels)};
  layer->call.data[1].align = 16;
  return std::move(layer->call);
}

} // namespace fully_connected_s8_avx2

namespace fully_connected_s8_avx512vnni {

std::string reject(const OperatorDesc &op) { return fully_connected_s8_avx2::reject(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<Int8Layer> layer = int8Layer(op);
  if (!layer)
    return layer.takeError();
  constexpr int64_t lanes = 16;
  const aotc_fully_connected_x86_shape &shape = layer->shape;
  const llvm::ArrayRef<char> weights = op.inputs[1].constant;
  KernelData packed;
  packed.name = "weights";
  packed.align = 64;
  std::vector<int32_t> channels;
  forGroups(shape.out_c, lanes, [&](int64_t first, int64_t vectors) {
    const int64_t end = first + vectors * lanes;
    for (int64_t k = 0; k < shape.in_c; k += 4)
      for (int64_t c = first; c < end; ++c)
        for (int64_t i = k; i < k + 4; ++i)
          packed.bytes.push_back(c < shape.out_c && i < shape.in_c ? weights[c * shape.in_c + i]
                                                                   : 0);
    for (int64_t c = first; c < end; c += lanes)
      layer->requantization.appendVectors(channels, llvm::to_vector(llvm::seq(c, c + lanes)));
  });
  layer->call.data = {std::move(packed), wordData("bias", channels)};
  layer->call.data[1].align = 64;
  return std::move(layer->call);
}

} // namespace fully_connected_s8_avx512vnni

/// For vectors of `lanes` floats.
static llvm::Expected<KernelCall> prepareF32(const OperatorDesc &op, int64_t lanes) {
  llvm::Expected<KernelCall> base = fully_connected_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const aotc_fully_connected_x86_shape shape = shapeOf(op);
  call.data = {packBiasAndWeights(op, {AOTC_FULLY_CONNECTED_GROUP, lanes, 4 * lanes})};
  call.shape = paramWords(shape);
  call.overlaps = {overlapRule(shape, 4)};
  return call;
}

namespace fully_connected_f32_avx2 {

std::string reject(const OperatorDesc &op) { return fully_connected_f32::rejectPacked(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op, 8); }

} // namespace fully_connected_f32_avx2

namespace fully_connected_f32_avx512 {

std::string reject(const OperatorDesc &op) { return fully_connected_f32_avx2::reject(op); }
llvm::Expected<KernelCall> prepare(const OperatorDesc &op) { return prepareF32(op, 16); }

} // namespace fully_connected_f32_avx512

} // namespace aotc
