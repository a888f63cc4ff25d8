// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LayerCases.h"

#include <algorithm>
#include <cmath>

namespace aotc::test {

namespace {

/// Around the sizes fast kernels treat alike: 2, 4, 8, 16.
int64_t channels(Random &random) {
  return random.oneIn(40)
             ? random.of<int64_t>({64, 65, 96})
             : random.of<int64_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 20, 24, 31, 33});
}

int8_t weight(Random &random, int kind) {
  switch (kind) {
  case 0: // the largest sums
    return int8_t(random.of({-127, 127}));
  case 1: // few values, most of them zero
    return int8_t(random.oneIn(8) ? random.in(-3, 3) : 0);
  default:
    return int8_t(random.in(-127, 127));
  }
}

/// Fills the weights; -128 stands in odd channels, or in both of a pair.
std::vector<char> weightBytes(int64_t outC, int64_t inC, Random &random) {
  std::vector<char> bytes(outC * inC);
  const auto kind = int(random.in(0, 5));
  const bool lowest = random.oneIn(6);
  for (int64_t c = 0; c < outC; ++c) {
    const bool empty = random.oneIn(12); // a dead channel
    for (int64_t i = 0; i < inC; ++i) {
      char &w = bytes[c * inC + i];
      w = empty ? 0 : weight(random, kind);
      if (lowest && random.oneIn(3) && !empty) {
        const int64_t other = c ^ 1;
        w = -128;
        // A negative odd channel beside it is for the kernel to refuse.
        if (c % 2 == 0 && other < outC && !random.oneIn(50))
          w = 127;
      }
    }
  }
  return bytes;
}

/// log2 of the multiplier of a layer with `inC` products of about 74 * 74.
double multiplierExponent(int64_t inC, Random &random) {
  switch (random.in(0, 9)) {
  case 0: // shifts left
    return random.real(0, 8);
  case 1: // around the smallest shifts
    return random.real(-3, 1);
  case 2: // almost everything is zero
    return random.real(-36, -14);
  default: // sums spread over the range of the output
    return -std::log2(74 * std::sqrt(double(inC)) * random.real(0.3, 2));
  }
}

int32_t biasValue(Random &random, int kind) {
  switch (kind) {
  case 0: // accumulators wrap
    return int32_t(random.of<int64_t>({INT32_MAX, INT32_MIN, 1 << 30, -5}));
  case 1: // around the limit of the packed sums, 2^23
    return int32_t(random.in((1 << 23) - 300000, 1 << 23) * random.of<int64_t>({-1, 1}));
  default:
    return int32_t(random.in(-6000, 6000));
  }
}

TensorDesc s8Tensor(std::vector<int64_t> shape, double scale, int64_t zero) {
  TensorDesc tensor;
  tensor.type = DType::s8;
  tensor.shape = std::move(shape);
  tensor.quant = {{scale}, {zero}, -1};
  return tensor;
}

/// Sizes of a layer; the window's taps and the channels decide the rest.
struct Layer {
  std::string op;
  std::vector<int64_t> in, weights, out;
  OperatorOptions options;
  int64_t outC, taps; ///< output channels; weights of each
  int channelAxis;    ///< of the weights
};

Activation activation(Random &random) {
  return random.oneIn(2)
             ? random.of({Activation::relu, Activation::relu6, Activation::relu_n1_to_1})
             : Activation::none;
}

std::unique_ptr<Case> caseOf(Layer layer, uint32_t index, Random &random) {
  auto c = std::make_unique<Case>();
  c->op.op = layer.op;
  const bool every = index < 256;
  const int64_t inZero = every             ? int64_t(index) - 128
                         : random.oneIn(3) ? -128
                                           : random.in(-128, 127);
  const int64_t outZero = every             ? 127 - int64_t(index)
                          : random.oneIn(2) ? random.of<int64_t>({-128, -128, -127, 127})
                                            : random.in(-128, 127);

  // input scale * weight scale / output scale is the multiplier.
  TensorDesc input = s8Tensor(layer.in, 0.0625, inZero);
  TensorDesc output = s8Tensor(layer.out, 0.0625, outZero);
  TensorDesc weights = s8Tensor(layer.weights, 1, 0);
  const double exponent = multiplierExponent(layer.taps, random);
  const bool perChannel = random.oneIn(2);
  // Powers of two: many results lie halfway between two integers.
  const bool halves = random.oneIn(4);
  weights.quant.scales.clear();
  for (int64_t i = 0; i < (perChannel ? layer.outC : 1); ++i) {
    const double own = exponent + random.real(-1, 1);
    weights.quant.scales.push_back(float(std::exp2(halves ? std::floor(own) : own)));
  }
  weights.quant.axis = weights.quant.perChannel() ? layer.channelAxis : -1;

  std::vector<char> x(input.bytes());
  const bool extreme = random.oneIn(6);
  for (char &byte : x)
    byte = char(extreme ? random.of({-128, 127}) : random.in(-128, 127));
  c->inputs.push_back(std::move(x));
  c->op.inputs.push_back(std::move(input));

  std::vector<char> bytes = weightBytes(layer.outC, layer.taps, random);
  if (layer.channelAxis == 3) { // 1HWC
    std::vector<char> last(bytes.size());
    for (int64_t o = 0; o < layer.outC; ++o)
      for (int64_t i = 0; i < layer.taps; ++i)
        last[i * layer.outC + o] = bytes[o * layer.taps + i];
    bytes = std::move(last);
  }
  c->inputs.push_back(std::move(bytes));
  weights.isConstant = true;
  weights.constant = llvm::ArrayRef<char>(c->inputs.back());
  c->op.inputs.push_back(std::move(weights));

  if (!random.oneIn(5)) {
    const auto kind = int(random.in(0, 7));
    std::vector<char> values(4 * layer.outC);
    for (int64_t i = 0; i < layer.outC; ++i) {
      const int32_t value = biasValue(random, kind);
      memcpy(&values[4 * i], &value, 4);
    }
    c->inputs.push_back(std::move(values));
    TensorDesc bias;
    bias.type = DType::s32;
    bias.shape = {layer.outC};
    bias.isConstant = true;
    bias.constant = llvm::ArrayRef<char>(c->inputs.back());
    c->op.inputs.push_back(std::move(bias));
  }
  c->op.outputs.push_back(std::move(output));
  c->op.options = layer.options;
  return c;
}

/// Outputs and the padding before the first input; the padding behind the last
/// follows.
struct Axis {
  int64_t outputs, before, after;
};
Axis axis(int64_t inputs, int64_t extent, int64_t stride, int64_t padding, Random &random) {
  const int64_t before = random.in(0, std::min(padding, extent - 1));
  const int64_t most = random.in(0, std::min(padding, extent - 1));
  const int64_t outputs = std::max<int64_t>(0, inputs + before + most - extent) / stride + 1;
  return {outputs, before, (outputs - 1) * stride + extent - inputs - before};
}

} // namespace

std::unique_ptr<Case> pointwiseCase(uint32_t index) {
  Random random(0x1b873593u + index);
  Conv2DOptions options;
  if (random.oneIn(3)) {
    options.strideH = random.in(1, 3);
    options.strideW = random.in(1, 3);
  }
  options.activation = activation(random);
  const int64_t batches = random.oneIn(8) ? 2 : 1;
  const int64_t inH = random.in(1, 5), inW = random.in(1, 7);
  const bool even = random.oneIn(2); // as fast kernels like them
  const int64_t inC = even ? 8 * random.in(1, 6) : channels(random);
  const int64_t outC = even ? 4 * random.in(1, 9) : channels(random);
  Layer layer = {"conv_2d",
                 {batches, inH, inW, inC},
                 {outC, 1, 1, inC},
                 {batches, (inH - 1) / options.strideH + 1, (inW - 1) / options.strideW + 1, outC},
                 options,
                 outC,
                 inC,
                 0};
  return caseOf(std::move(layer), index, random);
}

std::unique_ptr<Case> layerCase(llvm::StringRef op, uint32_t index) {
  Random random(0x2c1b3c6du + index);
  if (op == "fully_connected") {
    FullyConnectedOptions options;
    options.activation = activation(random);
    const int64_t rows = random.oneIn(4) ? random.in(2, 4) : 1;
    const int64_t inC = random.oneIn(2) ? 8 * random.in(1, 12) : random.in(1, 70);
    const int64_t outC = channels(random);
    return caseOf({op.str(), {rows, inC}, {outC, inC}, {rows, outC}, options, outC, inC, 0}, index,
                  random);
  }
  const bool depthwise = op == "depthwise_conv_2d";
  Conv2DOptions options;
  options.activation = activation(random);
  const bool plain = depthwise && random.oneIn(2); // as fast kernels like them
  const bool three = plain || !random.oneIn(3);
  auto size = [&] { return random.oneIn(6) ? random.in(6, 9) : random.in(1, 5); };
  const int64_t kernelW = three ? 3 : size();
  const int64_t kernelH = plain || (three && !random.oneIn(4)) ? 3 : size();
  options.strideH = random.in(1, 2);
  options.strideW = random.oneIn(5) ? random.in(1, 3) : options.strideH;
  if (!plain && random.oneIn(8)) {
    options.dilationH = random.in(1, 3);
    options.dilationW = random.in(1, 2);
  }
  const int64_t inH = random.in(1, 7), inW = random.in(1, 14);
  int64_t inC =
      !plain && random.oneIn(3) ? random.in(1, 9) : random.of<int64_t>({4, 8, 12, 16, 24});
  int64_t outC = depthwise ? inC : channels(random);
  if (depthwise && !plain && random.oneIn(2)) {
    inC = random.oneIn(2) ? inC : 1;
    options.depthMultiplier = inC == 1          ? channels(random)
                              : random.oneIn(8) ? random.in(5, 20)
                                                : random.in(2, 4);
    outC = inC * options.depthMultiplier;
  }
  const Axis y =
      axis(inH, (kernelH - 1) * options.dilationH + 1, options.strideH, plain ? 1 : 4, random);
  const Axis x =
      axis(inW, (kernelW - 1) * options.dilationW + 1, options.strideW, plain ? 1 : 4, random);
  options.padding = {y.before, x.before, std::max<int64_t>(y.after, 0),
                     std::max<int64_t>(x.after, 0)};
  const int64_t batches = random.oneIn(8) ? 2 : 1, taps = kernelH * kernelW;
  Layer layer = {op.str(),
                 {batches, inH, inW, inC},
                 {outC, kernelH, kernelW, inC},
                 {batches, y.outputs, x.outputs, outC},
                 options,
                 outC,
                 depthwise ? taps : taps * inC,
                 depthwise ? 3 : 0};
  if (depthwise)
    layer.weights = {1, kernelH, kernelW, outC};
  return caseOf(std::move(layer), index, random);
}

} // namespace aotc::test
