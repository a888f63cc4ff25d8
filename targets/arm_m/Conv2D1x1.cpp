// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the 1x1 int8 convolution for Armv7E-M: pairs of channels packed
// into halfwords, and the choice of the cheapest exact rounding
// (kernels/conv_2d_1x1.h).
#include "targets/arm_m/kernels/conv_2d_1x1.h"

#include "targets/generic/Conv.h"
#include "targets/generic/Pointwise.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/fixed_point.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

namespace aotc {

namespace {

/// One output channel; `weights` has as many entries as the input channels.
struct Channel {
  llvm::ArrayRef<int8_t> weights;
  int32_t bias = 0; ///< input zero point folded in
  FixedMultiplier multiplier;
};

llvm::ArrayRef<int8_t> weightsOf(llvm::ArrayRef<char> bytes, int64_t channel, int64_t inC) {
  return {reinterpret_cast<const int8_t *>(bytes.data()) + channel * inC, size_t(inC)};
}

int64_t absoluteSum(llvm::ArrayRef<int8_t> weights) {
  int64_t sum = 0;
  for (int8_t w : weights)
    sum += std::abs(int(w));
  return sum;
}

/// The output does not depend on the input.
bool isConstant(const Channel &channel) {
  return channel.multiplier.mantissa == 0 ||
         llvm::all_of(channel.weights, [](int8_t w) { return w == 0; });
}

/// The fast roundings give the reference's bits: no sum can leave 2^23, where
/// 256 times it would leave 32 bits, and the sum of rounded product, half and
/// shifted zero point stays below 2^31 (2^22 + 2^21 + 128 * 2^22 < 2^30).
bool roundsFast(const Channel &channel) {
  if (isConstant(channel))
    return true;
  const int64_t most = 128 * absoluteSum(channel.weights) + std::abs(int64_t(channel.bias));
  return most < (1 << 23) && channel.multiplier.shift <= -1 && channel.multiplier.shift >= -22;
}

/// Words appended to the stream, little-endian as the core reads them.
class Stream {
public:
  void word(uint32_t value) { words.push_back(int32_t(value)); }
  void halves(int low, int high) { word(uint32_t(uint16_t(low)) | uint32_t(uint16_t(high)) << 16); }
  llvm::ArrayRef<int32_t> all() const { return words; }

private:
  std::vector<int32_t> words;
};

/// {mantissa, add, right} of kernels/conv_2d_1x1.h, and the accumulator's
/// start. A constant channel is 0 * anything, rounded: 2*c + 1 (less 1 if the
/// accumulator is negative) halved is c.
struct FastParameters {
  uint32_t start, mantissa, add, right;
};
FastParameters fastParameters(const Channel &channel, int32_t zeroPoint) {
  if (isConstant(channel)) {
    const int32_t value =
        aotc_multiply(channel.bias, channel.multiplier.mantissa, channel.multiplier.shift);
    // Wraps like the portable kernel; far outside int8 all values are one.
    const int32_t output =
        aotc_clamp(aotc_wrap(uint32_t(value) + uint32_t(zeroPoint)), -1024, 1024);
    return {0, 0, uint32_t(2 * output + 1), 1};
  }
  const uint32_t right = uint32_t(-channel.multiplier.shift);
  return {uint32_t(channel.bias), uint32_t(channel.multiplier.mantissa),
          (1u << (right - 1)) + (uint32_t(zeroPoint) << right), right};
}

void packPair(Stream &stream, const Channel &u, const Channel &v, int32_t rounding,
              int32_t zeroPoint) {
  const bool any = rounding == aotc_rounding_any;
  const FastParameters fu = any ? FastParameters{} : fastParameters(u, zeroPoint);
  const FastParameters fv = any ? FastParameters{} : fastParameters(v, zeroPoint);
  stream.word(256 * fu.start + fv.start);
  stream.word(fv.start);

  auto half = [&](size_t c) {
    auto at = [&](const Channel &channel) {
      return c < channel.weights.size() ? channel.weights[c] : 0;
    };
    return 256 * at(u) + at(v);
  };
  for (size_t c = 0; c < u.weights.size(); c += 4) {
    stream.halves(half(c), half(c + 2));
    stream.halves(half(c + 1), half(c + 3));
  }

  if (any) {
    for (const Channel *channel : {&u, &v})
      stream.word(uint32_t(channel->multiplier.mantissa));
    for (const Channel *channel : {&u, &v})
      stream.word(uint32_t(channel->multiplier.shift));
    for (const Channel *channel : {&u, &v})
      stream.word(uint32_t(channel->bias));
    return;
  }
  for (uint32_t word : {fu.mantissa, fv.mantissa, fu.add, fv.add, fu.right, fv.right})
    stream.word(word);
}

/// A word of one of the portable kernel's arrays.
int32_t wordAt(const KernelData &data, size_t index) {
  return llvm::support::endian::read32le(data.bytes.data() + 4 * index);
}

} // namespace

namespace conv_2d_s8_1x1_dsp {

std::string reject(const OperatorDesc &op) {
  if (std::string reason = rejectPointwiseS8(op); !reason.empty())
    return reason;
  const int64_t inC = op.inputs[0].shape[3], outC = op.outputs[0].shape[3];
  for (int64_t c = 0; c < outC; ++c) {
    const auto u = weightsOf(op.inputs[1].constant, c, inC);
    // 128 * sum < 2^23, so that 256*U fits 32 bits (the bias is added later
    // where it would not).
    if (absoluteSum(u) >= 65536)
      return "sums may exceed 23 bits";
    // 256*u + v must fit 16 bits.
    if (c % 2 == 0 && c + 1 < outC) {
      const auto v = weightsOf(op.inputs[1].constant, c + 1, inC);
      for (int64_t i = 0; i < inC; ++i)
        if (u[i] == -128 && v[i] < 0)
          return "a pair of weights does not fit 16 bits (-128)";
    }
  }
  return "";
}

llvm::Expected<KernelCall> prepare(const OperatorDesc &op) {
  llvm::Expected<KernelCall> base = conv_2d_s8::prepare(op);
  if (!base)
    return base.takeError();
  KernelCall call = std::move(*base);

  const int64_t inC = op.inputs[0].shape[3], outC = op.outputs[0].shape[3];
  const KernelData &bias = call.data[1], &multipliers = call.data[2];
  const bool perChannel = multipliers.bytes.size() > 8;
  std::vector<Channel> channels;
  for (int64_t c = 0; c < outC; ++c) {
    const size_t m = perChannel ? 2 * c : 0;
    channels.push_back({weightsOf(op.inputs[1].constant, c, inC),
                        wordAt(bias, c),
                        {wordAt(multipliers, m), wordAt(multipliers, m + 1)}});
  }

  const ClampRange range = quantizedClamp(op.as<Conv2DOptions>().activation, op.outputs[0]);
  const auto zeroPoint = int32_t(op.outputs[0].quant.zeroPoint());
  int32_t rounding = aotc_rounding_any;
  if (llvm::all_of(channels, roundsFast))
    rounding = zeroPoint <= range.min ? aotc_rounding_up : aotc_rounding_away;

  Stream stream;
  const Channel none;
  for (int64_t c = 0; c < outC; c += 2)
    packPair(stream, channels[c], c + 1 < outC ? channels[c + 1] : none, rounding, zeroPoint);
  KernelData packed = wordData("weights", stream.all());
  call.data = {std::move(packed)};

  const PointwiseRow row = pointwiseRow(op, call);
  call.shape = paramWords(aotc_conv_2d_1x1_shape{row.pixels, int32_t(inC), int32_t(outC),
                                                 row.stride, int32_t(call.rows->stride), rounding,
                                                 range.min > -128 || range.max < 127});
  call.scratchBytes = (inC + 3) / 4 * 16;
  call.scratchAlign = 4;
  call.overlaps = {pointwiseOverlap(op, call, 2)};
  return call;
}

} // namespace conv_2d_s8_1x1_dsp

} // namespace aotc
