// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED for Armv7-M.
#include "targets/generic/FullyConnected.h"
#include "targets/arm_m/thumb2/Thumb2.h"
#include "targets/arm_m/thumb2/kernels/fully_connected_thumb2.h"

#include "llvm/Support/MathExtras.h"

namespace aotc {

namespace {

constexpr int64_t group = aotc_fully_connected_thumb2_group;

KernelData streamOf(const Thumb2Layer &layer, int64_t inputs) {
  KernelData data;
  data.name = "weights";
  for (size_t first = 0; first < layer.channels.size(); first += group) {
    for (int64_t i = 0; i < inputs; ++i)
      for (size_t c : {0, 2, 1, 3, 4, 6, 5, 7}) {
        const bool present = first + c < layer.channels.size() &&
                             i < int64_t(layer.channels[first + c].weights.size());
        data.bytes.push_back(present ? char(layer.channels[first + c].weights[i] ^ 0x80) : char(0));
      }
    for (size_t c = first; c < first + group; ++c)
      llvm::append_range(data.bytes, wordData("", layer.tailWords(c)).bytes);
  }
  return data;
}

} // namespace

namespace fully_connected_s8_thumb2 {

std::string reject(const OperatorDesc &op) { return fully_connected_s8::rejectPacked(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const TensorDesc &weights = op.inputs[1];
  const int64_t outC = weights.shape[0], inC = weights.shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  const ClampRange range = quantizedClamp(op.as<FullyConnectedOptions>().activation, op.outputs[0]);
  KernelData multipliers = std::move(call.data[1]);
  const bool perChannel = multipliers.bytes.size() > 8;
  const Thumb2Layer layer =
      thumb2Layer(intChannels(weights.constant, outC, call.data[0].bytes, multipliers.bytes),
                  Thumb2Sums::offsetBias, int32_t(op.outputs[0].quant.zeroPoint()), range);

  const auto padded = int64_t(llvm::alignTo(inC, uint64_t(aotc_fully_connected_thumb2_turn)));
  const bool copied = padded != inC;
  call.data = {streamOf(layer, padded)};
  if (layer.tail == aotc_thumb2_general) {
    call.data.push_back(layer.biasData());
    call.data.push_back(std::move(multipliers));
  }
  call.shape = paramWords(aotc_fully_connected_thumb2_shape{copied, layer.tail, layer.fit.up});
  call.layer = paramWords(aotc_fully_connected_thumb2_layer{int32_t(rows), int32_t(inC),
                                                            int32_t(outC), perChannel,
                                                            layer.zeroPoint, range.min, range.max});
  call.scratchBytes = copied ? padded : 0;
  call.overlaps = {fullyConnectedOverlap(rows, inC, outC, group, copied)};
  return call;
}

} // namespace fully_connected_s8_thumb2

} // namespace aotc
