// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED for Armv7E-M.
#include "targets/generic/FullyConnected.h"
#include "targets/arm_m/dsp/Dsp.h"
#include "targets/arm_m/dsp/kernels/fully_connected_dsp.h"

namespace aotc {

namespace {

constexpr int64_t group = 8; ///< channels computed together

} // namespace

namespace fully_connected_s8_dsp {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = fully_connected_s8::rejectPacked(op); !reason.empty())
    return reason;
  const TensorDesc &weights = op.inputs[1];
  return rejectDspSums(intChannels(weights.constant, weights.shape[0], {}, {}), true);
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const TensorDesc &weights = op.inputs[1];
  const int64_t outC = weights.shape[0], inC = weights.shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  const auto zeroPoint = int32_t(op.outputs[0].quant.zeroPoint());
  const ClampRange range = quantizedClamp(op.as<FullyConnectedOptions>().activation, op.outputs[0]);
  const KernelData bias = std::move(call.data[0]), multipliers = std::move(call.data[1]);

  std::vector<IntChannel> channels =
      intChannels(weights.constant, outC, bias.bytes, multipliers.bytes);
  const DspLayer layer = dspLayer(channels, zeroPoint, range);

  const int64_t padded = (inC + 7) / 8 * 8;
  std::vector<int32_t> order;
  for (int32_t k = 0; k < padded; k += 4)
    for (int32_t tap : {k, k + 2, k + 1, k + 3})
      order.push_back(tap < inC ? tap : -1);
  call.data = {dspStream(layer, order, group)};
  if (layer.tail.kind == aotc_dsp_general) {
    call.data.push_back(bias);
    call.data.push_back(multipliers);
  }
  const int32_t turn = padded % 16 || op.optimize == Optimize::size ? 8 : 16;
  call.shape = paramWords(
      aotc_fully_connected_dsp_shape{turn, padded != inC, layer.tail.kind, layer.tail.up});
  call.layer = paramWords(aotc_fully_connected_dsp_layer{int32_t(rows), int32_t(inC), int32_t(outC),
                                                         multipliers.bytes.size() > 8, zeroPoint,
                                                         range.min, range.max});
  call.scratchBytes = padded == inC ? 0 : padded;
  call.overlaps = {fullyConnectedOverlap(rows, inC, outC, group, padded != inC)};
  return call;
}

} // namespace fully_connected_s8_dsp

} // namespace aotc
