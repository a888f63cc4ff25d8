// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per operator says which channels it links and which range each
// result has; `visitOperator` is the list of them. Rescaling is monotone, so the
// ends of a range give the ends of the result's.
#include "compiler/simplify/ChannelRanges.h"

#include "compiler/simplify/PortableKernel.h"
#include "targets/Kernel.h"
#include "targets/generic/Requantize.h"
#include "targets/generic/Table.h"
#include "targets/generic/kernels/add_s8.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/depthwise_conv_2d.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/generic/kernels/reduce.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace aotc;
using namespace aotc::simplify;

static constexpr ChannelRange kInt8 = {-128, 127};

bool simplify::hasChannels(Value value) {
  auto type = dyn_cast_or_null<RankedTensorType>(value ? value.getType() : Type());
  auto quantized = type ? dyn_cast<quant::UniformQuantizedType>(type.getElementType())
                        : quant::UniformQuantizedType();
  return quantized && type.getRank() > 0 && nn::toDType(quantized) == DType::s8;
}

static int64_t channelsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape().back();
}

namespace {

/// An operator whose result, and first operands, have channels.
struct Subject {
  nn::NNOpInterface op;
  OperatorDesc desc;
  KernelCall call; ///< of the portable kernel; none for reshapes
  std::vector<ArrayRef<ChannelRange>> operands;
  ChannelFlow flow;
  std::vector<ChannelRange> result; ///< not narrowed: every number

  int64_t outChannels() const { return channelsOf(op->getResult(0)); }
  int64_t channels(unsigned operand) const { return operands[operand].size(); }
  int64_t zeroPoint(const TensorDesc &tensor) const { return tensor.quant.zeroPoint(); }

  template <typename T> T layer() const { return paramsOf<T>(call.layer); }
  template <typename T> T shape() const { return paramsOf<T>(call.shape); }

  void link(unsigned operand, int64_t from, int64_t to) {
    flow.links.push_back({operand, unsigned(from), unsigned(to)});
  }
  /// Each channel of the operand to that of the same number.
  void linkEqual(unsigned operand) {
    for (int64_t c = 0; c < channels(operand); ++c)
      link(operand, c, c);
  }

  /// The flow is `linked`; each result's range is `f` of all that is linked to it.
  void linked(llvm::function_ref<ChannelRange(ChannelRange)> f) {
    flow.kind = ChannelFlow::linked;
    std::vector<ChannelRange> sources(outChannels());
    for (const ChannelLink &l : flow.links)
      sources[l.to].include(operands[l.operand][l.from]);
    for (auto [range, source] : llvm::zip_equal(result, sources))
      range = f(source);
  }
  void copied() {
    linked([](ChannelRange source) { return source; });
  }
};

/// How sums become results: rescaled, the zero point added, clamped.
struct Rescale {
  int32_t zeroPoint;
  ChannelRange clamp;

  ChannelRange operator()(ChannelRange sum, FixedMultiplier multiplier) const {
    auto fits = [](int64_t x) { return x == int32_t(x); };
    if (!fits(sum.min) || !fits(sum.max))
      return clamp; // may wrap
    int64_t min = int64_t(aotc_multiply(int32_t(sum.min), multiplier.mantissa, multiplier.shift));
    int64_t max = int64_t(aotc_multiply(int32_t(sum.max), multiplier.mantissa, multiplier.shift));
    if (!fits(min + zeroPoint) || !fits(max + zeroPoint))
      return clamp;
    return clamped({min + zeroPoint, max + zeroPoint});
  }
  ChannelRange clamped(ChannelRange r) const {
    return {std::min(std::max(r.min, clamp.min), clamp.max),
            std::min(std::max(r.max, clamp.min), clamp.max)};
  }
};

/// w * x for x in `range`.
ChannelRange times(int64_t w, ChannelRange range) {
  int64_t a = w * range.min, b = w * range.max;
  return {std::min(a, b), std::max(a, b)};
}

ChannelRange plus(ChannelRange a, ChannelRange b) { return {a.min + b.min, a.max + b.max}; }

/// The words of `call.data[index]`.
std::vector<int32_t> words(const KernelCall &call, size_t index) {
  const std::vector<char> &bytes = call.data[index].bytes;
  std::vector<int32_t> result(bytes.size() / sizeof(int32_t));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

/// Weighted sums as the convolutions and FULLY_CONNECTED form them: bias and
/// multipliers are data blobs `bias` and `bias + 1` of the call.
struct Sums {
  std::vector<int32_t> bias, multipliers;
  Rescale rescale;

  Sums(const KernelCall &call, size_t bias, Rescale rescale)
      : bias(words(call, bias)), multipliers(words(call, bias + 1)), rescale(rescale) {}
  ChannelRange result(size_t channel, ChannelRange sum) const {
    size_t i = multipliers.size() > 2 ? channel : 0;
    return rescale(plus(sum, {bias[channel], bias[channel]}),
                   {multipliers[2 * i], multipliers[2 * i + 1]});
  }
};

Sums convolutionSums(const Subject &s) {
  auto layer = s.layer<aotc_conv_2d_s8_layer>();
  return Sums(s.call, 1, {layer.out_zero_point, {layer.act_min, layer.act_max}});
}

/// The operand's ranges as a convolution reads them, padding included.
std::vector<ChannelRange> readRanges(const Subject &s) {
  std::vector<ChannelRange> read = s.operands[0].vec();
  int64_t zero = s.zeroPoint(s.desc.inputs[0]);
  for (ChannelRange &range : read)
    if (s.flow.padded)
      range.include({zero, zero});
  return read;
}

int8_t weight(const Subject &s, int64_t index) { return int8_t(s.desc.inputs[1].constant[index]); }

void visitConv(Subject &s) {
  auto shape = s.shape<aotc_conv_2d_shape>();
  s.flow.padded = shape.padded;
  if (shape.groups == 1)
    s.flow.kind = ChannelFlow::mixed;
  Sums sums = convolutionSums(s);
  std::vector<ChannelRange> in = readRanges(s);
  const int64_t depth = shape.in_c / shape.groups, filters = shape.out_c / shape.groups;
  const int64_t taps = int64_t(shape.kernel_h) * shape.kernel_w;
  for (int64_t c = 0; c < shape.out_c; ++c) {
    ChannelRange sum = {0, 0};
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t i = 0; i < depth; ++i)
        sum =
            plus(sum, times(weight(s, (c * taps + tap) * depth + i), in[c / filters * depth + i]));
    s.result[c] = sums.result(c, sum);
  }
}

void visitDepthwise(Subject &s) {
  auto shape = s.shape<aotc_depthwise_conv_2d_shape>();
  s.flow.kind = ChannelFlow::linked;
  s.flow.padded = shape.padded;
  Sums sums = convolutionSums(s);
  std::vector<ChannelRange> in = readRanges(s);
  const int64_t outC = s.outChannels(), taps = int64_t(shape.kernel_h) * shape.kernel_w;
  for (int64_t c = 0; c < outC; ++c) {
    int64_t from = c / shape.multiplier;
    s.link(0, from, c);
    ChannelRange sum = {0, 0};
    for (int64_t tap = 0; tap < taps; ++tap)
      sum = plus(sum, times(weight(s, tap * outC + c), in[from]));
    s.result[c] = sums.result(c, sum);
  }
}

void visitFullyConnected(Subject &s) {
  auto shape = s.shape<aotc_fully_connected_shape>();
  const int64_t inC = s.channels(0);
  if (!shape.constant_weights || shape.in_c % inC || shape.out_c != s.outChannels())
    return;
  s.flow.kind = ChannelFlow::mixed;
  auto layer = s.layer<aotc_fully_connected_s8_layer>();
  Sums sums(s.call, 0, {layer.out_zero_point, {layer.act_min, layer.act_max}});
  const int64_t offset = shape.offsets ? layer.in_zero_point : 0;
  for (int64_t c = 0; c < shape.out_c; ++c) {
    ChannelRange sum = {0, 0};
    for (int64_t i = 0; i < shape.in_c; ++i) {
      ChannelRange x = s.operands[0][i % inC];
      sum = plus(sum, times(weight(s, c * shape.in_c + i) - layer.weights_zero_point,
                            {x.min - offset, x.max - offset}));
    }
    s.result[c] = sums.result(c, sum);
  }
}

/// ADD and MUL: calls f(lhs, rhs) per result. The one channel of an operand that
/// is repeated goes into all and is linked to none.
void visitBinary(Subject &s, llvm::function_ref<ChannelRange(ChannelRange, ChannelRange)> f) {
  const int64_t outC = s.outChannels();
  s.flow.kind = ChannelFlow::linked;
  for (unsigned operand : {0, 1})
    if (s.channels(operand) == outC)
      s.linkEqual(operand);
  for (int64_t c = 0; c < outC; ++c)
    s.result[c] = f(s.operands[0][s.channels(0) == outC ? c : 0],
                    s.operands[1][s.channels(1) == outC ? c : 0]);
}

void visitAdd(Subject &s) {
  const aotc_adder_s8 add(s.shape<aotc_add_s8_shape>(), s.layer<aotc_add_s8_layer>());
  visitBinary(s, [&](ChannelRange a, ChannelRange b) {
    return ChannelRange{add(int8_t(a.min), int8_t(b.min)), add(int8_t(a.max), int8_t(b.max))};
  });
}

void visitMul(Subject &s) {
  auto layer = s.layer<aotc_mul_s8_layer>();
  Rescale rescale = {layer.out_zero_point, {layer.min, layer.max}};
  visitBinary(s, [&](ChannelRange a, ChannelRange b) {
    ChannelRange product;
    for (int64_t x : {a.min, a.max})
      product.include(times(x - layer.lhs_zero_point,
                            {b.min - layer.rhs_zero_point, b.max - layer.rhs_zero_point}));
    return rescale(product, {layer.mantissa, layer.shift});
  });
}

/// The mean or the largest of numbers lies between the smallest and the largest.
void visitPool(Subject &s) {
  ClampRange clamp = quantizedClamp(s.desc.as<Pool2DOptions>().activation, s.desc.outputs[0]);
  Rescale rescale = {0, {clamp.min, clamp.max}};
  s.linkEqual(0);
  s.linked([&](ChannelRange source) { return rescale.clamped(source); });
}

void visitMean(Subject &s) {
  const auto &axes = s.desc.as<ReduceOptions>().axes;
  const auto &shape = s.desc.inputs[0].shape;
  if (llvm::is_contained(axes, int64_t(shape.size()) - 1))
    return;
  int64_t elements = s.desc.inputs[0].elements() / s.desc.outputs[0].elements();
  auto layer = s.layer<aotc_mean_s8_layer>();
  s.linkEqual(0);
  s.linked([&](ChannelRange source) {
    ChannelRange sum = times(elements, source);
    return Rescale{layer.out_zero_point, kInt8}(plus(sum, {layer.offset, layer.offset}),
                                                {layer.mantissa, layer.shift});
  });
}

void visitPad(Subject &s) {
  const auto &options = s.desc.as<PadOptions>();
  if (options.before.back() || options.after.back())
    return;
  int64_t zero = s.zeroPoint(s.desc.outputs[0]);
  bool pads = s.desc.inputs[0].elements() != s.desc.outputs[0].elements();
  s.linkEqual(0);
  s.linked([&](ChannelRange source) {
    if (pads)
      source.include({zero, zero});
    return source;
  });
}

void visitTranspose(Subject &s) {
  const auto &perm = s.desc.as<TransposeOptions>().perm;
  if (perm.back() != int64_t(perm.size()) - 1)
    return;
  s.linkEqual(0);
  s.copied();
}

void visitConcatenation(Subject &s) {
  const auto &options = s.desc.as<ConcatOptions>();
  const bool ofChannels = options.axis == int64_t(s.desc.outputs[0].shape.size()) - 1;
  int64_t offset = 0;
  for (unsigned operand = 0; operand < s.operands.size(); ++operand) {
    for (int64_t c = 0; c < s.channels(operand); ++c)
      s.link(operand, c, offset + c);
    offset += ofChannels ? s.channels(operand) : 0;
  }
  s.copied();
}

/// Element e lies in channel e modulo their number, of the operand and of the
/// result: where one number divides the other, channels stay together.
void visitReshape(Subject &s) {
  const int64_t inC = s.channels(0), outC = s.outChannels();
  if (inC % outC && outC % inC)
    return;
  for (int64_t c = 0; c < std::max(inC, outC); ++c)
    s.link(0, c % inC, c % outC);
  s.copied();
}

/// Functions of one int8 number, which the kernel reads from a table.
void visitTable(Subject &s) {
  ArrayRef<char> table = tableOf(s.call);
  s.linkEqual(0);
  s.linked([&](ChannelRange source) {
    ChannelRange range;
    for (int64_t x = source.min; x <= source.max; ++x)
      range.include({int8_t(table[uint8_t(x)]), int8_t(table[uint8_t(x)])});
    return range;
  });
}

/// THE LIST, with all functions of one byte. Of other operators anything may come of
/// anything.
void visitOperator(Subject &s) {
  llvm::TypeSwitch<Operation *>(s.op)
      .Case<nn::Conv2DOp>([&](auto) { visitConv(s); })
      .Case<nn::DepthwiseConv2DOp>([&](auto) { visitDepthwise(s); })
      .Case<nn::FullyConnectedOp>([&](auto) { visitFullyConnected(s); })
      .Case<nn::AddOp>([&](auto) { visitAdd(s); })
      .Case<nn::MulOp>([&](auto) { visitMul(s); })
      .Case<nn::AveragePool2DOp, nn::MaxPool2DOp>([&](auto) { visitPool(s); })
      .Case<nn::MeanOp>([&](auto) { visitMean(s); })
      .Case<nn::PadOp>([&](auto) { visitPad(s); })
      .Case<nn::TransposeOp>([&](auto) { visitTranspose(s); })
      .Case<nn::ConcatenationOp>([&](auto) { visitConcatenation(s); })
      .Case<nn::ReshapeOp>([&](auto) { visitReshape(s); })
      .Default([&](auto) {
        if (!tableOf(s.call).empty())
          visitTable(s);
      });
}

std::vector<ChannelRange> constantRanges(nn::ConstantOp constant) {
  std::vector<char> bytes = nn::denseBytes(cast<DenseElementsAttr>(constant.getValue()));
  std::vector<ChannelRange> result(channelsOf(constant.getResult()));
  for (auto [i, byte] : llvm::enumerate(bytes))
    result[i % result.size()].include({int8_t(byte), int8_t(byte)});
  return result;
}

/// The operands that may have channels; the others of these are weights.
size_t activationOperands(nn::NNOpInterface op) {
  return isa<nn::Conv2DOp, nn::DepthwiseConv2DOp, nn::FullyConnectedOp>(op) ? 1
                                                                            : op->getNumOperands();
}

} // namespace

ChannelRanges::ChannelRanges(func::FuncOp function) {
  for (Value argument : function.getArguments())
    if (hasChannels(argument))
      ranges[argument].assign(channelsOf(argument), kInt8);
  for (Operation &op : function.getBody().front())
    if (auto node = dyn_cast<nn::NNOpInterface>(op); node && hasChannels(op.getResult(0)))
      visit(node);
}

const ChannelFlow &ChannelRanges::flow(Operation *op) const {
  static const ChannelFlow unknown;
  auto found = flows.find(op);
  return found == flows.end() ? unknown : found->second;
}

void ChannelRanges::visit(nn::NNOpInterface op) {
  Value output = op->getResult(0);
  ranges[output].assign(channelsOf(output), kInt8);
  OperandRange activations = op->getOperands().take_front(activationOperands(op));
  if (!llvm::all_of(activations, hasChannels))
    return;
  // Of constants only: neither fed by anything nor worth narrowing.
  if (llvm::all_of(activations, [](Value value) { return nn::constantValue(value); }))
    return;
  Subject s;
  s.op = op;
  s.desc = nn::describeOperator(op);
  if (!op.isReshape()) {
    std::optional<KernelCall> call = portableCall(s.desc);
    if (!call)
      return;
    s.call = std::move(*call);
  }
  for (Value value : activations)
    if (auto constant = value.getDefiningOp<nn::ConstantOp>())
      ranges.try_emplace(value, constantRanges(constant));
  for (Value value : activations)
    s.operands.push_back(ranges[value]);
  s.flow.activations = activations.size();
  s.result = ranges[output];
  visitOperator(s);
  ranges[output] = std::move(s.result);
  flows[op] = std::move(s.flow);
}
