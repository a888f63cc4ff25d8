// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "targets/generic/Requantize.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace aotc {

FixedMultiplier quantizeMultiplier(double real) {
  if (real == 0)
    return {};
  int exponent;
  double fraction = std::frexp(real, &exponent); // in [0.5, 1)
  int64_t mantissa = std::llround(std::ldexp(fraction, 31));
  if (mantissa == int64_t(1) << 31) {
    mantissa /= 2;
    ++exponent;
  }
  // All bits would be shifted out: the result is always 0.
  if (exponent < -31)
    return {};
  return {int32_t(mantissa), exponent};
}

llvm::Expected<FixedMultiplier> checkedMultiplier(double real, const std::string &what) {
  if (!std::isfinite(real) || real < 0)
    return llvm::createStringError(
        llvm::formatv("{0} is {1}: scales must be positive", what, real).str());
  FixedMultiplier fixed = quantizeMultiplier(real);
  if (fixed.shift > 30)
    return llvm::createStringError(
        llvm::formatv("{0} is {1}: must be below 2^30", what, real).str());
  return fixed;
}

llvm::Expected<std::vector<FixedMultiplier>> outputMultipliers(const Quantization &input,
                                                               const Quantization &weights,
                                                               const Quantization &output,
                                                               ScaleProduct product) {
  std::vector<FixedMultiplier> result;
  for (double scale : weights.scales) {
    double both = product == ScaleProduct::inFloat ? double(float(input.scale()) * float(scale))
                                                   : input.scale() * scale;
    llvm::Expected<FixedMultiplier> fixed =
        checkedMultiplier(both / output.scale(), "output multiplier");
    if (!fixed)
      return fixed.takeError();
    result.push_back(*fixed);
  }
  return result;
}

/// zero point + round(real / scale) in float, saturated to int32.
static int32_t quantizeBound(float real, const Quantization &quant) {
  float steps = std::round(real / float(quant.scale()));
  if (std::isnan(steps))
    return int32_t(quant.zeroPoint());
  double value = double(quant.zeroPoint()) + double(steps);
  return int32_t(std::clamp(value, double(std::numeric_limits<int32_t>::min()),
                            double(std::numeric_limits<int32_t>::max())));
}

ClampRange quantizedClamp(Activation activation, const TensorDesc &output) {
  const DTypeInfo &type = dtypeInfo(output.type);
  assert(type.isQuantizedStorage);
  ClampRange range = {int32_t(type.min()), int32_t(type.max())};
  if (activation == Activation::none)
    return range;
  FloatClamp real = floatClamp(activation);
  range.min = std::max(range.min, quantizeBound(real.min, output.quant));
  if (activation != Activation::relu)
    range.max = std::min(range.max, quantizeBound(real.max, output.quant));
  return range;
}

FloatClamp floatClamp(Activation activation) {
  constexpr float largest = std::numeric_limits<float>::max();
  switch (activation) {
  case Activation::none:
    return {-largest, largest};
  case Activation::relu:
    return {0, largest};
  case Activation::relu_n1_to_1:
    return {-1, 1};
  case Activation::relu6:
    return {0, 6};
  }
  llvm_unreachable("unknown activation");
}

int32_t floatBits(float value) { return std::bit_cast<int32_t>(value); }

KernelData wordData(std::string name, llvm::ArrayRef<int32_t> words) {
  KernelData data;
  data.name = std::move(name);
  data.bytes.resize(words.size() * 4);
  for (size_t i = 0; i < words.size(); ++i)
    llvm::support::endian::write32le(data.bytes.data() + 4 * i, words[i]);
  return data;
}

KernelData multiplierData(llvm::ArrayRef<FixedMultiplier> multipliers) {
  std::vector<int32_t> words;
  for (FixedMultiplier m : multipliers) {
    words.push_back(m.mantissa);
    words.push_back(m.shift);
  }
  return wordData("multipliers", words);
}

int32_t constantS32(const TensorDesc &tensor, int64_t index) {
  return llvm::support::endian::read32le(tensor.constant.data() + 4 * index);
}

} // namespace aotc
