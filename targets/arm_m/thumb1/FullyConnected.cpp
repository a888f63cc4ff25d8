// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of FULLY_CONNECTED for Armv6-M.
#include "targets/generic/FullyConnected.h"
#include "targets/arm_m/thumb1/Thumb1.h"
#include "targets/arm_m/thumb1/kernels/fully_connected_thumb1.h"
#include "targets/generic/Checks.h"

#include "llvm/ADT/STLExtras.h"

namespace aotc {

namespace {

constexpr size_t group = 4; ///< channels computed together

std::optional<Thumb1Layer> layerOf(const OperatorDesc &op, const KernelCall &portable) {
  const ClampRange range = quantizedClamp(op.as<FullyConnectedOptions>().activation, op.outputs[0]);
  return thumb1Layer(intChannels(op.inputs[1].constant, op.inputs[1].shape[0],
                                 portable.data[0].bytes, portable.data[1].bytes),
                     int32_t(op.outputs[0].quant.zeroPoint()), range);
}

/// The stream (kernels/fully_connected_thumb1.h); channels that are not there
/// have weights of 0.
KernelData streamOf(const Thumb1Layer &layer, size_t inC) {
  const std::vector<IntChannel> &channels = layer.channels;
  std::vector<int32_t> words;
  auto start = [&](size_t c) { return c < channels.size() ? uint32_t(layer.tails[c].start) : 0; };
  auto byte = [&](size_t c, size_t k) {
    const bool present = c < channels.size() && k < channels[c].weights.size();
    return uint32_t(128 + (present ? channels[c].weights[k] : 0));
  };
  for (size_t u = 0; u < channels.size(); u += group) {
    for (size_t c = u; c < u + group; c += 2) {
      words.push_back(int32_t(start(c) + 65536 * start(c + 1) - 0x8000 * uint32_t(inC / 2)));
      words.push_back(int32_t(start(c + 1)));
    }
    for (size_t k = 0; k < inC; k += 2)
      for (size_t c = u; c < u + group; c += 2)
        words.push_back(int32_t(byte(c, k) | byte(c, k + 1) << 8 | byte(c + 1, k) << 16 |
                                byte(c + 1, k + 1) << 24));
    for (size_t c = u; c < u + group; ++c)
      if (c < channels.size())
        llvm::append_range(words, thumb1TailWords(layer, c));
      else
        words.resize(words.size() + aotc_thumb1_tail_words(layer.kind));
  }
  return wordData("weights", words);
}

} // namespace

namespace fully_connected_s8_thumb1 {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = fully_connected_s8::rejectPacked(op); !reason.empty())
    return reason;
  const TensorDesc &weights = op.inputs[1];
  const auto channels = intChannels(weights.constant, weights.shape[0], {}, {});
  if (std::string reason = rejectThumb1Weights(channels); !reason.empty())
    return reason;
  return rejectPrepared(fully_connected_s8::prepare(op), [&](const KernelCall &portable) {
    return layerOf(op, portable) ? "" : "requantisation needs fixed_point.h";
  });
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = fully_connected_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);
  const Thumb1Layer layer = *layerOf(op, call); // reject() found it
  const int64_t outC = op.inputs[1].shape[0], inC = op.inputs[1].shape[1];
  const int64_t rows = op.inputs[0].elements() / inC;
  const int64_t padded = (inC + 7) / 8 * 8;
  call.data = {streamOf(layer, size_t(padded))};
  call.shape = paramWords(aotc_fully_connected_thumb1_shape{padded != inC, layer.kind});
  call.layer =
      paramWords(aotc_fully_connected_thumb1_layer{int32_t(rows), int32_t(inC), int32_t(outC)});
  call.scratchBytes = padded == inC ? 0 : padded;
  call.overlaps = {fullyConnectedOverlap(rows, inC, outC, group, padded != inC)};
  return call;
}

} // namespace fully_connected_s8_thumb1

} // namespace aotc
