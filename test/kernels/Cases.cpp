// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cases.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aotc::test {

namespace {

/// A power of two's neighbourhood, as a float, which is what models store.
double randomScale(Random &random) { return float(std::exp2(random.real(-9, 1))); }

int64_t randomZeroPoint(Random &random) {
  return random.oneIn(2) ? random.of<int64_t>({-128, 127, 0, -1}) : random.in(-128, 127);
}

/// Sizes with many ones and a few that span vectors with a tail.
int64_t randomChannels(Random &random) {
  switch (random.in(0, 5)) {
  case 0:
    return 1;
  case 1:
    return random.of<int64_t>({8, 16, 32});
  case 2:
    return random.in(17, 40);
  default:
    return random.in(1, 9);
  }
}

Activation randomActivation(Random &random) {
  return random.oneIn(2)
             ? Activation::none
             : random.of({Activation::relu, Activation::relu6, Activation::relu_n1_to_1});
}

void quantize(TensorDesc &tensor, Random &random) {
  if (tensor.type == DType::s8)
    tensor.quant = {{randomScale(random)}, {randomZeroPoint(random)}, -1};
  if (tensor.type == DType::u8)
    tensor.quant = {{randomScale(random)}, {128 + randomZeroPoint(random)}, -1};
  if (tensor.type == DType::s16)
    tensor.quant = {{randomScale(random)}, {0}, -1};
}

TensorDesc tensorOf(DType type, std::vector<int64_t> shape, Random &random) {
  TensorDesc tensor;
  tensor.type = type;
  tensor.shape = std::move(shape);
  quantize(tensor, random);
  return tensor;
}

/// Random values of the tensor's type; a few cases are all extremes.
std::vector<char> randomBytes(const TensorDesc &tensor, Random &random) {
  std::vector<char> bytes(tensor.bytes());
  const bool extreme = random.oneIn(8);
  for (int64_t i = 0; i < tensor.elements(); ++i)
    switch (tensor.type) {
    case DType::s8:
      bytes[i] = char(extreme ? random.of({-128, 127}) : random.in(-128, 127));
      break;
    case DType::s32: {
      auto value = int32_t(random.in(-20000, 20000));
      memcpy(&bytes[4 * i], &value, 4);
      break;
    }
    case DType::f32: {
      auto value = float(random.real(-4, 4));
      memcpy(&bytes[4 * i], &value, 4);
      break;
    }
    default:
      for (int64_t k = 0; k < dtypeSize(tensor.type); ++k)
        bytes[dtypeSize(tensor.type) * i + k] = char(random.in(0, 255));
    }
  return bytes;
}

void addInput(Case &c, TensorDesc tensor, bool constant, Random &random) {
  c.inputs.push_back(randomBytes(tensor, random));
  tensor.isConstant = constant;
  if (constant)
    tensor.constant = llvm::ArrayRef<char>(c.inputs.back());
  c.op.inputs.push_back(std::move(tensor));
}

/// int8 weights, per tensor or per channel; then sets the output's scale so
/// that sums of `taps` products spread over its range.
TensorDesc weightsOf(DType type, std::vector<int64_t> shape, int axis, const TensorDesc &input,
                     int64_t taps, TensorDesc &output, Random &random) {
  TensorDesc weights = tensorOf(type, std::move(shape), random);
  if (type != DType::s8)
    return weights;
  double scale = randomScale(random);
  weights.quant = {{scale}, {0}, -1};
  if (random.oneIn(2)) {
    const size_t channels = weights.shape[axis];
    weights.quant.axis = axis;
    weights.quant.scales.clear();
    for (size_t i = 0; i < channels; ++i)
      weights.quant.scales.push_back(float(scale * random.real(0.01, 1)));
    weights.quant.zeroPoints.assign(random.oneIn(2) ? channels : 1, 0);
  }
  // A product has a deviation of about 74 * 74.
  double spread = random.oneIn(8) ? 0.001 : random.real(20, 200);
  output.quant.scales = {float(input.quant.scale() * scale * std::sqrt(double(taps)) * spread)};
  return weights;
}

void addBias(Case &c, DType type, int64_t channels, Random &random) {
  if (random.oneIn(4)) {
    if (random.oneIn(2))
      return;
    c.inputs.emplace_back();
    c.op.inputs.emplace_back();
    return;
  }
  addInput(c, tensorOf(type == DType::s8 ? DType::s32 : type, {channels}, random), true, random);
}

/// Padding and output size of one dimension; 0 if no window fits.
int64_t place(int64_t size, int64_t extent, int64_t stride, int64_t &before, int64_t &after,
              Random &random) {
  before = after = 0;
  if (random.oneIn(2)) {
    before = random.in(0, extent - 1);
    after = random.in(0, extent - 1);
  }
  int64_t room = size + before + after - extent;
  return room < 0 ? 0 : room / stride + 1;
}

void makeConv(Case &c, DType type, bool depthwise, Random &random) {
  Conv2DOptions options;
  const bool pointwise = random.oneIn(3);
  const int64_t batches = random.oneIn(4) ? 2 : 1;
  int64_t inH, inW, kernelH, kernelW, outH, outW;
  do {
    inH = random.in(1, 7), inW = random.in(1, 9);
    kernelH = pointwise ? 1 : random.in(1, 4);
    kernelW = pointwise ? 1 : random.in(1, 4);
    options.strideH = random.oneIn(2) ? 1 : random.in(1, 3);
    options.strideW = random.oneIn(2) ? 1 : random.in(1, 3);
    options.dilationH = random.oneIn(2) ? 1 : random.in(1, 3);
    options.dilationW = random.oneIn(2) ? 1 : random.in(1, 3);
    Padding &padding = options.padding;
    outH = place(inH, (kernelH - 1) * options.dilationH + 1, options.strideH, padding.top,
                 padding.bottom, random);
    outW = place(inW, (kernelW - 1) * options.dilationW + 1, options.strideW, padding.left,
                 padding.right, random);
  } while (!outH || !outW);
  options.activation = randomActivation(random);

  int64_t inC = randomChannels(random), outC = randomChannels(random);
  std::vector<int64_t> weightShape;
  int64_t taps = kernelH * kernelW;
  if (depthwise) {
    options.depthMultiplier = random.oneIn(2) ? 1 : random.in(1, 3);
    outC = inC * options.depthMultiplier;
    weightShape = {1, kernelH, kernelW, outC};
  } else {
    options.groups = random.oneIn(3) ? random.in(2, 3) : 1;
    taps *= inC;
    weightShape = {outC * options.groups, kernelH, kernelW, inC};
    inC *= options.groups, outC *= options.groups;
  }
  TensorDesc input = tensorOf(type, {batches, inH, inW, inC}, random);
  TensorDesc output = tensorOf(type, {batches, outH, outW, outC}, random);
  TensorDesc weights = weightsOf(type, weightShape, depthwise ? 3 : 0, input, taps, output, random);
  addInput(c, std::move(input), false, random);
  addInput(c, std::move(weights), true, random);
  addBias(c, type, outC, random);
  c.op.outputs = {std::move(output)};
  c.op.options = options;
}

void makeFullyConnected(Case &c, DType type, Random &random) {
  const int64_t rows = random.oneIn(2) ? 1 : random.in(1, 4);
  const int64_t inC = randomChannels(random), outC = randomChannels(random);
  TensorDesc input = tensorOf(type, {rows, inC}, random);
  if (random.oneIn(3))
    input.shape = {1, rows, 1, inC};
  TensorDesc output = tensorOf(type, {rows, outC}, random);
  TensorDesc weights = weightsOf(type, {outC, inC}, 0, input, inC, output, random);
  if (type == DType::s8 && random.oneIn(4))
    for (int64_t &zeroPoint : weights.quant.zeroPoints)
      zeroPoint = -7;
  addInput(c, std::move(input), false, random);
  addInput(c, std::move(weights), !random.oneIn(4), random);
  addBias(c, type, outC, random);
  c.op.outputs = {std::move(output)};
  c.op.options = FullyConnectedOptions{randomActivation(random)};
}

/// Half of the cases: all bytes of the first input are its least or largest.
void makeExtreme(Case &c, Random &random) {
  if (c.op.inputs[0].type == DType::s8 && random.oneIn(2))
    llvm::fill(c.inputs[0], random.of<char>({-128, 127}));
}

/// Sums in lanes of 16 bits hold 256 elements: so many, a few more or less.
int64_t manyElements(Random &random) { return random.in(250, 260); }

/// `wide`: a window of about 256 taps over the whole image.
void makePool(Case &c, DType type, bool wide, Random &random) {
  Pool2DOptions options;
  const int64_t batches = random.oneIn(4) ? 2 : 1;
  int64_t inH, inW, outH, outW;
  do {
    inH = random.in(1, 7), inW = random.in(1, 7);
    options.filterH = random.oneIn(4) ? inH : random.in(1, 4);
    options.filterW = random.oneIn(4) ? inW : random.in(1, 4);
    if (wide) {
      inH = options.filterH = random.in(15, 17);
      inW = options.filterW = random.in(15, 16);
    }
    options.strideH = random.in(1, 3), options.strideW = random.in(1, 3);
    Padding &padding = options.padding;
    outH = place(inH, options.filterH, options.strideH, padding.top, padding.bottom, random);
    outW = place(inW, options.filterW, options.strideW, padding.left, padding.right, random);
    // Every window must touch the image.
  } while (!outH || !outW || (outH - 1) * options.strideH - options.padding.top >= inH ||
           (outW - 1) * options.strideW - options.padding.left >= inW);
  options.activation = randomActivation(random);
  const int64_t channels = randomChannels(random);
  TensorDesc output = tensorOf(type, {batches, outH, outW, channels}, random);
  TensorDesc input = output;
  input.shape = {batches, inH, inW, channels};
  addInput(c, std::move(input), false, random);
  if (wide)
    makeExtreme(c, random);
  c.op.outputs = {std::move(output)};
  c.op.options = options;
}

std::vector<int64_t> randomShape(int64_t maxRank, Random &random) {
  std::vector<int64_t> shape(random.in(1, maxRank));
  for (int64_t &dim : shape)
    dim = random.in(1, 5);
  shape.back() = randomChannels(random);
  return shape;
}

void makeBinary(Case &c, DType type, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random), other = shape;
  if (random.oneIn(2))
    for (int64_t &dim : other)
      dim = random.oneIn(2) ? 1 : dim;
  std::vector<int64_t> operands[2] = {shape, other};
  if (random.oneIn(2))
    std::swap(operands[0], operands[1]);
  const int64_t constant = random.in(0, 3);
  for (int i = 0; i < 2; ++i)
    addInput(c, tensorOf(type, operands[i], random), constant == i, random);
  c.op.outputs = {tensorOf(type, shape, random)};
  if (type == DType::s8) // not all saturated
    c.op.outputs[0].quant.scales = {
        float((c.op.inputs[0].quant.scale() + c.op.inputs[1].quant.scale()) * random.real(0.3, 3))};
  c.op.options = BinaryOptions{randomActivation(random)};
}

void makeUnary(Case &c, llvm::StringRef op, DType type, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random);
  addInput(c, tensorOf(type, shape, random), false, random);
  DType outType = op == "quantize"     ? random.of({DType::s8, DType::u8, DType::s16})
                  : op == "dequantize" ? DType::f32
                                       : type;
  TensorDesc output = tensorOf(outType, shape, random);
  if (op == "logistic" && outType == DType::s8)
    output.quant = {{1.0 / 256}, {-128}, -1};
  c.op.outputs = {std::move(output)};
  c.op.options = UnaryOptions{};
}

void makeTable(Case &c, DType type, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random);
  addInput(c, tensorOf(type, shape, random), false, random);
  c.op.outputs = {tensorOf(random.of({DType::s8, DType::u8}), shape, random)};
  TableOptions options;
  for (int i = 0; i < 256; ++i)
    options.table.push_back(char(random.in(-128, 127)));
  c.op.options = std::move(options);
}

void makeSoftmax(Case &c, DType type, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random);
  addInput(c, tensorOf(type, shape, random), false, random);
  TensorDesc output = tensorOf(type, shape, random);
  if (type == DType::s8)
    output.quant = {{1.0 / 256}, {-128}, -1};
  c.op.outputs = {std::move(output)};
  c.op.options = SoftmaxOptions{random.oneIn(2) ? 1.0 : 0.5};
}

/// `wide`: over about 256 pixels.
void makeMean(Case &c, DType type, bool wide, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random);
  if (wide)
    shape = {manyElements(random), randomChannels(random)};
  ReduceOptions options;
  options.keepDims = random.oneIn(2);
  std::vector<int64_t> outShape;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool reduced = wide ? i == 0 : random.oneIn(2);
    if (reduced)
      options.axes.push_back(int64_t(i));
    if (!reduced || options.keepDims)
      outShape.push_back(reduced ? 1 : shape[i]);
  }
  addInput(c, tensorOf(type, shape, random), false, random);
  if (wide)
    makeExtreme(c, random);
  c.op.outputs = {tensorOf(type, outShape, random)};
  c.op.options = options;
}

void makePad(Case &c, DType type, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random);
  PadOptions options;
  TensorDesc input = tensorOf(type, shape, random), output = input;
  for (int64_t &dim : output.shape) {
    options.before.push_back(random.in(0, 2));
    options.after.push_back(random.in(0, 2));
    dim += options.before.back() + options.after.back();
  }
  addInput(c, std::move(input), false, random);
  c.op.outputs = {std::move(output)};
  c.op.options = options;
}

void makeTranspose(Case &c, DType type, Random &random) {
  std::vector<int64_t> shape(random.in(1, 6));
  for (int64_t &dim : shape)
    dim = random.oneIn(3) ? 1 : random.in(2, 5);
  TransposeOptions options;
  for (size_t i = 0; i < shape.size(); ++i)
    options.perm.insert(options.perm.begin() + random.in(0, int64_t(i)), int64_t(i));
  std::vector<int64_t> moved = options.perm;
  std::erase_if(moved, [&](int64_t dim) { return shape[dim] == 1; });
  if (std::is_sorted(moved.begin(), moved.end()) && !random.oneIn(16))
    return makeTranspose(c, type, random); // few that move nothing
  TensorDesc input = tensorOf(type, shape, random), output = input;
  for (size_t i = 0; i < shape.size(); ++i)
    output.shape[i] = shape[options.perm[i]];
  addInput(c, std::move(input), false, random);
  c.op.outputs = {std::move(output)};
  c.op.options = options;
}

void makeConcatenation(Case &c, DType type, Random &random) {
  std::vector<int64_t> shape = randomShape(4, random);
  const int64_t axis = random.in(0, int64_t(shape.size()) - 1);
  TensorDesc output = tensorOf(type, shape, random);
  output.shape[axis] = 0;
  for (int64_t count = random.in(1, 4); count > 0; --count) {
    TensorDesc input = output;
    input.shape[axis] = random.in(1, 5);
    output.shape[axis] += input.shape[axis];
    addInput(c, std::move(input), false, random);
  }
  c.op.outputs = {std::move(output)};
  c.op.options = ConcatOptions{axis, Activation::none};
}

} // namespace

std::unique_ptr<Case> randomCase(llvm::StringRef op, DType type, Random &random) {
  auto c = std::make_unique<Case>();
  c->op.op = op.str();
  if (op == "conv_2d" || op == "depthwise_conv_2d")
    makeConv(*c, type, op == "depthwise_conv_2d", random);
  else if (op == "fully_connected")
    makeFullyConnected(*c, type, random);
  else if (op == "average_pool_2d" || op == "max_pool_2d")
    makePool(*c, type, false, random);
  else if (op == "add" || op == "mul")
    makeBinary(*c, type, random);
  else if (op == "relu" || op == "relu6" || op == "logistic" || op == "quantize" ||
           op == "dequantize")
    makeUnary(*c, op, type, random);
  else if (op == "table")
    makeTable(*c, type, random);
  else if (op == "softmax")
    makeSoftmax(*c, type, random);
  else if (op == "mean")
    makeMean(*c, type, false, random);
  else if (op == "pad")
    makePad(*c, type, random);
  else if (op == "transpose")
    makeTranspose(*c, type, random);
  else if (op == "concatenation")
    makeConcatenation(*c, type, random);
  else
    return nullptr;
  return c;
}

std::unique_ptr<Case> wideCase(llvm::StringRef op, DType type, Random &random) {
  auto c = std::make_unique<Case>();
  c->op.op = op.str();
  if (op == "average_pool_2d" || op == "max_pool_2d")
    makePool(*c, type, true, random);
  else if (op == "mean")
    makeMean(*c, type, true, random);
  else
    return nullptr;
  return c;
}

bool hasWeights(llvm::StringRef op) { return op.contains("conv_2d") || op == "fully_connected"; }

void addSpecialFloats(Case &c, Random &random, int oneIn) {
  using limits = std::numeric_limits<float>;
  // A product that underflows may decide how a sum is rounded: not on levels that take
  // denormals for 0.
  const float least = hasWeights(c.op.op) ? 0x1p-100f : limits::min();
  for (size_t k = 0; k < c.op.inputs.size(); ++k) {
    if (c.op.inputs[k].type != DType::f32 || c.op.inputs[k].isConstant)
      continue;
    for (size_t i = 0; i < c.inputs[k].size(); i += 4) {
      float value =
          random.of({0.0f, limits::denorm_min(), limits::min() / 3, least, 1.5f, 6.0f, 88.9f,
                     104.5f, limits::max(), limits::infinity(), limits::quiet_NaN()});
      value = random.oneIn(2) ? -value : value;
      if (random.oneIn(oneIn))
        memcpy(&c.inputs[k][i], &value, 4);
    }
  }
}

DType typeOfVariant(llvm::StringRef variant) {
  llvm::StringRef word = variant.split('_').first;
  for (DType type : {DType::f32, DType::f16, DType::s8, DType::u8, DType::s16, DType::s32,
                     DType::s64, DType::boolean})
    if (dtypeName(type) == word)
      return type;
  return DType::none;
}

} // namespace aotc::test
