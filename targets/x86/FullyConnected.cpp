// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED for AVX2 (kernels/fully_connected.h).
#include "targets/generic/FullyConnected.h"

#include "targets/generic/Checks.h"
#include "targets/generic/Overlap.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/x86/Requantize.h"
#include "targets/x86/kernels/fully_connected.h"
#include "targets/x86/kernels/requantize_s8.h"

#include <algorithm>

namespace aotc {
namespace {

aotc_fully_connected_avx2_shape shapeOf(const OperatorDesc &op) {
  const auto &weights = op.inputs[1].shape;
  aotc_fully_connected_avx2_shape shape = {};
  shape.in_c = int32_t(weights[1]);
  shape.out_c = int32_t(weights[0]);
  shape.rows = int32_t(op.inputs[0].elements() / weights[1]);
  return shape;
}

OverlapRule overlapRule(const aotc_fully_connected_avx2_shape &shape, int64_t elementBytes) {
  PixelWalk walk =
      pixelByPixel(shape.rows, shape.in_c * elementBytes, shape.out_c * elementBytes, shape.out_c);
  walk.channelsAtOnce = AOTC_FULLY_CONNECTED_GROUP;
  return overlapOf(walk);
}

/// Calls visit(first, vectors) for each group of output channels.
template <typename Visit> void forGroups(int64_t outC, Visit visit) {
  for (int64_t c = 0; c < outC; c += AOTC_FULLY_CONNECTED_GROUP)
    visit(c, (std::min<int64_t>(outC - c, AOTC_FULLY_CONNECTED_GROUP) + 7) / 8);
}

} // namespace

namespace fully_connected_s8_avx2 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = fully_connected_s8::reject(op); !reason.empty())
    return reason;
  if (!op.inputs[1].isConstant)
    return "weights are not constant";
  if (op.inputs[1].quant.zeroPoint() != 0)
    return "weights' zero point is not 0";
  return "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  aotc_fully_connected_s8_layer layer;
  std::copy(call.layer.begin(), call.layer.end(), reinterpret_cast<int32_t *>(&layer));

  aotc_fully_connected_avx2_shape shape = shapeOf(op);
  const llvm::ArrayRef<char> weights = op.inputs[1].constant;
  std::vector<int64_t> sums(shape.out_c);
  for (size_t i = 0; i < weights.size(); ++i)
    sums[i / shape.in_c] += std::abs(int(int8_t(weights[i])));
  const x86::Requantization requantization(call.data[0], call.data[1], sums, layer.out_zero_point,
                                           layer.act_min);
  shape.requantize = requantization.how();

  KernelData packed;
  packed.name = "weights";
  packed.align = 16;
  std::vector<int32_t> channels;
  forGroups(shape.out_c, [&](int64_t first, int64_t vectors) {
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
  call.data = {std::move(packed), wordData("bias", channels)};
  call.data[1].align = 16;
  call.shape = paramWords(shape);
  call.overlaps = {overlapRule(shape, 1)};
  return call;
}

} // namespace fully_connected_s8_avx2

namespace fully_connected_f32_avx2 {

std::string reject(const OperatorDesc &op) {
  std::string reason = fully_connected_f32::reject(op);
  return reason.empty() && !op.inputs[1].isConstant ? "weights are not constant" : reason;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_f32::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const aotc_fully_connected_avx2_shape shape = shapeOf(op);
  const TensorDesc *bias = biasOf(op);
  std::vector<int32_t> words; // bits of floats
  forGroups(shape.out_c, [&](int64_t first, int64_t vectors) {
    for (int64_t k = -1; k < shape.in_c; ++k)
      for (int64_t c = first; c < first + 8 * vectors; ++c)
        words.push_back(c >= shape.out_c ? 0
                        : k >= 0         ? constantS32(op.inputs[1], c * shape.in_c + k)
                        : bias           ? constantS32(*bias, c)
                                         : 0);
  });
  call.data = {wordData("weights", words)};
  call.data[0].align = 16;
  call.shape = paramWords(shape);
  call.overlaps = {overlapRule(shape, 4)};
  return call;
}

} // namespace fully_connected_f32_avx2

} // namespace aotc
