// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Models.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotc::test {

int64_t modelRequantize(int32_t accumulator, double multiplier) {
  if (multiplier == 0)
    return 0;
  int exponent = 0;
  while (multiplier >= 1)
    multiplier /= 2, ++exponent;
  while (multiplier < 0.5)
    multiplier *= 2, --exponent;
  auto mantissa = int64_t(std::floor(multiplier * 2147483648.0 + 0.5));
  if (mantissa == 2147483648)
    mantissa /= 2, ++exponent;
  if (exponent < -31)
    return 0;
  // Saturating left shift.
  double shifted = accumulator * std::exp2(std::max(exponent, 0));
  auto x = int64_t(std::clamp(shifted, -2147483648.0, 2147483647.0));
  // High half of the doubled product, as gemmlowp writes it: a truncating
  // division after a nudge.
  int64_t product = x * mantissa;
  int64_t nudge = product >= 0 ? int64_t(1) << 30 : 1 - (int64_t(1) << 30);
  int64_t high = (product + nudge) / (int64_t(1) << 31);
  // A quotient of 32 bits by a power of two is exact in double; std::round
  // takes halves away from zero.
  return int64_t(std::round(double(high) / std::exp2(std::max(-exponent, 0))));
}

namespace {

/// Bounds of the activation in steps of the output, or in real numbers.
void clampTo(double &value, Activation activation, const TensorDesc &output) {
  const bool quantised = output.type == DType::s8;
  auto bound = [&](float real) -> double {
    if (!quantised)
      return real;
    return double(output.quant.zeroPoint()) + std::round(real / float(output.quant.scale()));
  };
  if (quantised)
    value = std::clamp(value, -128.0, 127.0);
  double min = -std::numeric_limits<double>::infinity(), max = -min;
  if (activation == Activation::relu || activation == Activation::relu6)
    min = bound(0);
  if (activation == Activation::relu6)
    max = bound(6);
  if (activation == Activation::relu_n1_to_1)
    min = bound(-1), max = bound(1);
  // Bounds outside the type's range do not widen it.
  if (quantised)
    min = std::max(min, -128.0), max = std::min(max, 127.0);
  value = std::min(std::max(value, min), max);
}

double element(const Case &c, size_t operand, int64_t index) {
  return c.op.inputs[operand].type == DType::s8 ? double(c.input<int8_t>(operand, index))
                                                : double(c.input<float>(operand, index));
}

/// Input less its zero point.
double centred(const Case &c, int64_t index) {
  const Quantization &quant = c.op.inputs[0].quant;
  return element(c, 0, index) - (quant.empty() ? 0 : quant.zeroPoint());
}

/// Adds bias, requantises with the channel's scale, clamps.
double finish(const Case &c, double sum, int64_t channel, Activation activation) {
  const TensorDesc &input = c.op.inputs[0], &weights = c.op.inputs[1], &output = c.op.outputs[0];
  const bool bias = c.op.inputs.size() > 2 && c.op.inputs[2].present();
  if (input.type == DType::s8) {
    if (bias)
      sum += c.input<int32_t>(2, channel);
    double product = input.quant.scale() * weights.quant.scale(channel);
    if (c.op.op == "fully_connected" && !weights.quant.perChannel())
      product = float(product); // the reference multiplies floats here
    double multiplier = product / output.quant.scale();
    sum = double(modelRequantize(int32_t(sum), multiplier) + output.quant.zeroPoint());
  } else if (bias) {
    sum += c.input<float>(2, channel);
  }
  clampTo(sum, activation, output);
  return sum;
}

std::vector<double> convolution(const Case &c, bool depthwise) {
  const auto &options = c.op.as<Conv2DOptions>();
  const auto &in = c.op.inputs[0].shape, &w = c.op.inputs[1].shape, &out = c.op.outputs[0].shape;
  std::vector<double> result;
  for (int64_t n = 0; n < out[0]; ++n)
    for (int64_t y = 0; y < out[1]; ++y)
      for (int64_t x = 0; x < out[2]; ++x)
        for (int64_t oc = 0; oc < out[3]; ++oc) {
          double sum = 0;
          for (int64_t ky = 0; ky < w[1]; ++ky)
            for (int64_t kx = 0; kx < w[2]; ++kx) {
              int64_t iy = y * options.strideH + ky * options.dilationH - options.padding.top;
              int64_t ix = x * options.strideW + kx * options.dilationW - options.padding.left;
              if (iy < 0 || iy >= in[1] || ix < 0 || ix >= in[2])
                continue;
              int64_t pixel = ((n * in[1] + iy) * in[2] + ix) * in[3];
              if (depthwise) {
                sum += centred(c, pixel + oc / options.depthMultiplier) *
                       element(c, 1, (ky * w[2] + kx) * w[3] + oc);
                continue;
              }
              int64_t group = oc / (out[3] / options.groups);
              for (int64_t ic = 0; ic < w[3]; ++ic)
                sum += centred(c, pixel + group * w[3] + ic) *
                       element(c, 1, ((oc * w[1] + ky) * w[2] + kx) * w[3] + ic);
            }
          result.push_back(finish(c, sum, oc, options.activation));
        }
  return result;
}

std::vector<double> fullyConnected(const Case &c) {
  const TensorDesc &weights = c.op.inputs[1];
  const int64_t outC = weights.shape[0], inC = weights.shape[1];
  const double zero = weights.quant.empty() ? 0 : weights.quant.zeroPoint();
  std::vector<double> result;
  for (int64_t r = 0; r < c.op.inputs[0].elements() / inC; ++r)
    for (int64_t o = 0; o < outC; ++o) {
      double sum = 0;
      for (int64_t i = 0; i < inC; ++i)
        sum += centred(c, r * inC + i) * (element(c, 1, o * inC + i) - zero);
      result.push_back(finish(c, sum, o, c.op.as<FullyConnectedOptions>().activation));
    }
  return result;
}

std::vector<double> pool(const Case &c, bool average) {
  const auto &options = c.op.as<Pool2DOptions>();
  const TensorDesc &input = c.op.inputs[0], &output = c.op.outputs[0];
  const auto &in = input.shape, &out = output.shape;
  std::vector<double> result;
  for (int64_t n = 0; n < out[0]; ++n)
    for (int64_t y = 0; y < out[1]; ++y)
      for (int64_t x = 0; x < out[2]; ++x)
        for (int64_t ch = 0; ch < out[3]; ++ch) {
          std::vector<double> taps;
          for (int64_t ky = 0; ky < options.filterH; ++ky)
            for (int64_t kx = 0; kx < options.filterW; ++kx) {
              int64_t iy = y * options.strideH + ky - options.padding.top;
              int64_t ix = x * options.strideW + kx - options.padding.left;
              if (iy >= 0 && iy < in[1] && ix >= 0 && ix < in[2])
                taps.push_back(element(c, 0, ((n * in[1] + iy) * in[2] + ix) * in[3] + ch));
            }
          double value = 0;
          if (average) {
            for (double tap : taps)
              value += tap;
            value /= double(taps.size());
            if (input.type == DType::s8)
              value = std::round(value); // halves away from zero
          } else {
            value = *std::max_element(taps.begin(), taps.end());
          }
          clampTo(value, options.activation, output);
          result.push_back(value);
        }
  return result;
}

} // namespace

std::vector<double> expectedOutput(const Case &c) {
  if (c.op.op == "fully_connected")
    return fullyConnected(c);
  if (c.op.op == "average_pool_2d" || c.op.op == "max_pool_2d")
    return pool(c, c.op.op == "average_pool_2d");
  return convolution(c, c.op.op == "depthwise_conv_2d");
}

} // namespace aotc::test
