// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED, int8, for Armv8.1-M with Helium.
#include "targets/generic/FullyConnected.h"
#include "targets/arm_m/mve/Mve.h"
#include "targets/arm_m/mve/kernels/fully_connected_mve.h"

namespace aotc::fully_connected_s8_mve {

constexpr int64_t group = 8; ///< channels computed together

std::string reject(const OperatorDesc &op) { return fully_connected_s8::rejectPacked(op); }

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const TensorDesc &weights = op.inputs[1];
  const int64_t outC = weights.shape[0], inC = weights.shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  const MveLayer layer =
      mveLayer(intChannels(weights.constant, outC, call.data[0].bytes, call.data[1].bytes),
               int32_t(op.outputs[0].quant.zeroPoint()),
               quantizedClamp(op.as<FullyConnectedOptions>().activation, op.outputs[0]), group);

  const auto steps = int32_t((inC + 15) / 16);
  const int64_t first = inC - 16 * (steps - 1);
  std::vector<int32_t> order(16, -1);
  for (int32_t tap = 0; tap < inC; ++tap)
    if (tap < first)
      order[tap] = tap;
    else
      order.push_back(tap);
  call.data = {mveStream(layer, order, group)};
  const bool copied = inC < 16;
  call.shape = paramWords(
      aotc_fully_connected_mve_shape{steps <= 4 ? steps : 5 + (steps - 1) % 4, copied, layer.tail});
  call.layer = paramWords(aotc_fully_connected_mve_layer{
      int32_t(rows), int32_t(inC), int32_t(outC), steps <= 4 ? 0 : (steps - 1) / 4,
      int32_t(call.data[0].bytes.size()), layer.output});
  call.scratchBytes = copied ? 16 : 0;
  call.overlaps = {fullyConnectedOverlap(rows, inC, outC, group, copied)};
  return call;
}

} // namespace aotc::fully_connected_s8_mve
