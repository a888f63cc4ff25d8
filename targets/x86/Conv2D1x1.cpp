// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the 1x1 int8 convolution for AVX2: weights in groups of eight
// output channels and pairs of input channels (kernels/conv_2d_1x1.h).
#include "targets/x86/kernels/conv_2d_1x1.h"

#include "targets/generic/Conv.h"
#include "targets/generic/Pointwise.h"
#include "targets/generic/Requantize.h"

#include "llvm/Support/Endian.h"

#include <algorithm>

namespace aotc::conv_2d_s8_1x1_avx2 {

/// Output channels of a group; pixels of a block.
constexpr int64_t group = 8, blockPixels = 4;

std::string reject(const OperatorDesc &op) { return rejectPointwiseS8(op); }

static KernelData packWeights(llvm::ArrayRef<char> weights, int64_t inC, int64_t outC) {
  KernelData packed;
  packed.name = "weights";
  packed.align = 16;
  for (int64_t first = 0; first < outC; first += group)
    for (int64_t k = 0; k < inC; k += 2)
      for (int64_t c = first; c < first + group; ++c)
        for (int64_t i = k; i < k + 2; ++i)
          packed.bytes.push_back(c < outC && i < inC ? weights[c * inC + i] : 0);
  return packed;
}

static KernelData packChannels(const KernelData &bias, const KernelData &multipliers,
                               int64_t outC) {
  auto wordAt = [](const KernelData &data, int64_t index) {
    return int32_t(llvm::support::endian::read32le(data.bytes.data() + 4 * index));
  };
  const bool perChannel = multipliers.bytes.size() > 8;
  std::vector<int32_t> words;
  for (int64_t first = 0; first < outC; first += group) {
    auto eight = [&](auto value) {
      for (int64_t c = first; c < first + group; ++c)
        words.push_back(c < outC ? value(c) : 0);
    };
    auto mantissa = [&](int64_t c) { return wordAt(multipliers, perChannel ? 2 * c : 0); };
    auto shift = [&](int64_t c) { return wordAt(multipliers, perChannel ? 2 * c + 1 : 1); };
    eight([&](int64_t c) { return wordAt(bias, c); });
    eight(mantissa);
    eight([&](int64_t c) { return std::max(shift(c), 0); });
    eight([&](int64_t c) { return std::max(-shift(c), 0); });
  }
  KernelData packed = wordData("bias", words);
  packed.align = 16;
  return packed;
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);

  const int64_t inC = op.inputs[0].shape[3], outC = op.outputs[0].shape[3];
  KernelData channels = packChannels(call.data[1], call.data[2], outC);
  call.data = {packWeights(op.inputs[1].constant, inC, outC), std::move(channels)};
  const PointwiseRow row = pointwiseRow(op, call);
  call.shape = paramWords(aotc_conv_2d_1x1_avx2_shape{row.pixels, int32_t(inC), int32_t(outC),
                                                      row.stride, int32_t(call.rows->stride)});
  call.scratchBytes = blockPixels * ((inC + 1) / 2 * 2) * 2;
  call.scratchAlign = 16;
  call.overlaps = {pointwiseOverlap(op, call, blockPixels)};
  return call;
}

} // namespace aotc::conv_2d_s8_1x1_avx2
