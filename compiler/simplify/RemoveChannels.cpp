// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels that hold one number for every input, or that nothing reads, leave
// the tensors and weights they are part of (Passes.td says when and why).
//
// Channels that operators link share their fate: they are one class. A class is
// needed if one of its channels is fixed by an operator that is not understood,
// by the function's signature, or by a weighted sum that is needed itself, has a
// weight other than zero for it, and cannot take it for a constant. All other
// classes could go; some stay to fill the numbers of channels up to what kernels
// like.
#include "compiler/simplify/ChannelRanges.h"
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

#include "targets/generic/Requantize.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_REMOVECHANNELS
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

using llvm::BitVector;
using simplify::ChannelFlow;
using simplify::ChannelRange;

/// A weight tensor of one channel would count as quantised per tensor, for which
/// FULLY_CONNECTED's multiplier is rounded in another way.
static constexpr int64_t kFewest = 2;

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

namespace {

/// The weights of an operator that has any, as a matrix: a weighted sum per row,
/// a channel of the operand per column, modulo their number. Those of
/// DEPTHWISE_CONV_2D, 1HWC, are one row, whose columns are channels of the result.
struct Weights {
  Operation *op;
  TensorDesc weights, bias;
  int64_t rows, columns;

  explicit Weights(Operation *op) : op(op), weights(nn::describeTensor(op->getOperand(1))) {
    if (op->getNumOperands() > 2)
      bias = nn::describeTensor(op->getOperand(2));
    rows = weights.shape.front();
    columns = weights.elements() / rows;
  }

  Value input() const { return op->getOperand(0); }
  Value output() const { return op->getResult(0); }
  int64_t zero() const { return weights.quant.zeroPoint(); }
  /// Less the zero point.
  int64_t at(int64_t row, int64_t column) const {
    return int8_t(weights.constant[row * columns + column]) - zero();
  }
};

/// Which channels of a function's tensors stay.
class Plan {
public:
  Plan(func::FuncOp function, int64_t multiple) : ranges(function) {
    collect(function);
    spreadNeed();
    kept = needed;
    fill(multiple);
  }

  /// Of a numbered tensor, those that stay.
  BitVector keptOf(Value value) const { return channels(value, kept); }
  /// Those that are there for more than their number.
  BitVector neededOf(Value value) const { return channels(value, needed); }
  /// Has it a channel to lose?
  bool isCut(Value value) const { return first.contains(value) && !keptOf(value).all(); }
  /// Are all its channels needed?
  bool isWhole(Value value) const { return !first.contains(value) || neededOf(value).all(); }
  ArrayRef<ChannelRange> rangesOf(Value value) const { return ranges.of(value); }
  const ChannelFlow &flow(Operation *op) const { return ranges.flow(op); }
  auto tensors() const { return llvm::make_first_range(first); }

private:
  int64_t count(Value value) const { return typeOf(value).getShape().back(); }
  unsigned classOf(Value value, int64_t channel) const {
    return classes[first.lookup(value) + channel];
  }
  BitVector channels(Value value, const BitVector &of) const {
    BitVector result(count(value));
    for (int64_t c = 0; c < count(value); ++c)
      result[c] = of[classOf(value, c)];
    return result;
  }
  void need(Value value) {
    if (!first.contains(value))
      return;
    for (int64_t c = 0; c < count(value); ++c)
      needed.set(classOf(value, c));
  }

  /// Gives a tensor's channels numbers, if it has any.
  void number(Value value);
  void collect(func::FuncOp function);
  bool canFold(Operation *op, int64_t channel) const;
  void spreadNeed();
  void fill(int64_t multiple);

  simplify::ChannelRanges ranges;
  llvm::MapVector<Value, unsigned> first; ///< the number of a tensor's channel 0
  unsigned total = 0;
  llvm::IntEqClasses classes;
  std::vector<Weights> sums; ///< of operators that mix channels
  BitVector needed, kept;    ///< per class
};
} // namespace

void Plan::number(Value value) {
  if (simplify::hasChannels(value) && first.insert({value, total}).second)
    total += count(value);
}

void Plan::collect(func::FuncOp function) {
  Block &block = function.getBody().front();
  llvm::for_each(block.getArguments(), [&](Value value) { number(value); });
  for (Operation &op : block) {
    const ChannelFlow &flow = ranges.flow(&op);
    // (Of an operator that is not understood, weights too.)
    bool known = flow.kind != ChannelFlow::unknown;
    for (Value value : known ? op.getOperands().take_front(flow.activations) : op.getOperands())
      number(value);
    if (!isa<nn::ConstantOp>(op))
      llvm::for_each(op.getResults(), [&](Value value) { number(value); });
  }
  classes.grow(total);
  for (Operation &op : block)
    for (const simplify::ChannelLink &link : ranges.flow(&op).links)
      classes.join(first.lookup(op.getOperand(link.operand)) + link.from,
                   first.lookup(op.getResult(0)) + link.to);
  classes.compress();
  needed.resize(classes.getNumClasses());

  llvm::for_each(block.getArguments(), [&](Value value) { need(value); });
  for (Operation &op : block) {
    const ChannelFlow &flow = ranges.flow(&op);
    if (flow.kind == ChannelFlow::mixed)
      sums.emplace_back(&op);
    if (flow.kind == ChannelFlow::linked)
      for (unsigned i = 0; i < flow.activations; ++i)
        if (llvm::none_of(flow.links, [&](auto link) { return link.operand == i; }))
          need(op.getOperand(i));
    if (flow.kind != ChannelFlow::unknown || isa<nn::ConstantOp>(op))
      continue;
    llvm::for_each(op.getOperands(), [&](Value value) { need(value); });
    llvm::for_each(op.getResults(), [&](Value value) { need(value); });
  }
}

/// Can every sum of `op` take this channel of its operand for a constant?
bool Plan::canFold(Operation *op, int64_t channel) const {
  Value input = op->getOperand(0);
  ChannelRange range = ranges.of(input)[channel];
  int64_t zero = cast<quant::UniformQuantizedType>(typeOf(input).getElementType()).getZeroPoint();
  return range.isConstant() && (!ranges.flow(op).padded || range.min == zero);
}

void Plan::spreadNeed() {
  SmallVector<BitVector> seen; // a row is looked at once, when its sum is needed
  for (const Weights &w : sums)
    seen.emplace_back(w.rows);
  // Backwards once, but for operators whose operand shares its channels' fate
  // with a result behind it (ADD around a block).
  for (bool changed = true; changed;) {
    changed = false;
    for (auto [w, rows] : llvm::reverse(llvm::zip_equal(sums, seen))) {
      const unsigned in = first.lookup(w.input());
      const int64_t inC = count(w.input());
      for (int64_t row = 0; row < w.rows; ++row) {
        if (rows[row] || !needed[classOf(w.output(), row)])
          continue;
        rows.set(row);
        for (int64_t column = 0; column < w.columns; ++column) {
          if (w.at(row, column) == 0)
            continue;
          unsigned read = classes[in + column % inC];
          if (needed[read] || canFold(w.op, column % inC))
            continue;
          needed.set(read);
          changed = true;
        }
      }
    }
  }
}

void Plan::fill(int64_t multiple) {
  auto isEnough = [&](unsigned n) { return n >= kFewest && n % multiple == 0; };
  // A class may have channels of several tensors, so one may spoil another's.
  for (bool changed = true; changed;) {
    changed = false;
    for (Value value : tensors()) {
      unsigned there = keptOf(value).count();
      for (int64_t c = 0, e = count(value); c < e && there < e && !isEnough(there); ++c)
        if (!kept[classOf(value, c)]) {
          kept.set(classOf(value, c));
          there = keptOf(value).count();
          changed = true;
        }
    }
  }
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// The elements of `from` whose index modulo the size of `kept` is in it.
template <typename T> static SmallVector<T> cut(ArrayRef<T> from, const BitVector &kept) {
  SmallVector<T> result;
  for (auto [i, element] : llvm::enumerate(from))
    if (kept[i % kept.size()])
      result.push_back(element);
  return result;
}

static Type cutScales(Type elementType, const BitVector &kept) {
  auto type = dyn_cast<quant::UniformQuantizedPerAxisType>(elementType);
  if (!type)
    return elementType;
  return quant::UniformQuantizedPerAxisType::get(
      type.getFlags(), type.getStorageType(), type.getExpressedType(), cut(type.getScales(), kept),
      cut(type.getZeroPoints(), kept), type.getQuantizedDimension(), type.getStorageTypeMin(),
      type.getStorageTypeMax());
}

/// `type` with as many channels as `kept` leaves it.
static RankedTensorType cutChannels(RankedTensorType type, const BitVector &kept) {
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = shape.back() / kept.size() * kept.count();
  return type.clone(shape);
}

/// A constant before `op`, called like `old`, if there is one.
static Value constantBefore(Operation *op, RankedTensorType type, ArrayRef<char> bytes, Value old) {
  auto before = old ? old.getDefiningOp<nn::ConstantOp>() : nullptr;
  OpBuilder builder(op);
  return nn::ConstantOp::create(builder, op->getLoc(), type,
                                DenseElementsAttr::getFromRawBuffer(nn::storageTensor(type), bytes),
                                before ? simplify::withResultOf(before.getOriginAttr(), {})
                                       : nullptr);
}

namespace {

/// Weights and bias of one operator without the channels that go.
class Cut {
public:
  Cut(const Plan &plan, Operation *op) : plan(plan), w(op), out(plan.keptOf(w.output())) {}

  void apply() {
    bool mixes = plan.flow(w.op).kind == ChannelFlow::mixed;
    RankedTensorType type = typeOf(w.op->getOperand(1));
    type = RankedTensorType::get(type.getShape(), cutScales(type.getElementType(), out));
    std::vector<int32_t> bias;
    std::vector<char> bytes = mixes ? mixed(bias) : linked(bias);
    type = cutChannels(type, mixes ? plan.keptOf(w.input()) : out);
    if (mixes) {
      SmallVector<int64_t> shape(type.getShape());
      shape.front() = out.count();
      type = type.clone(shape);
    }
    w.op->setOperand(1, constantBefore(w.op, type, bytes, w.op->getOperand(1)));
    setBias(bias);
  }

private:
  int32_t biasOf(int64_t row) const { return w.bias.present() ? constantS32(w.bias, row) : 0; }

  /// A channel that only fills gives what it can give: the sum where every input
  /// is smallest, which is any if it is constant, and of no concern if not.
  std::vector<char> mixed(std::vector<int32_t> &bias) const {
    BitVector in = plan.keptOf(w.input()), needed = plan.neededOf(w.output());
    ArrayRef<ChannelRange> ranges = plan.rangesOf(w.input());
    int64_t zero = nn::describeTensor(w.input()).quant.zeroPoint();
    std::vector<char> bytes;
    for (int64_t row : out.set_bits()) {
      auto sum = uint32_t(biasOf(row));
      for (int64_t column = 0; column < w.columns; ++column) {
        int64_t channel = column % in.size();
        if (!in[channel] || !needed[row])
          sum += uint32_t(w.at(row, column) * (ranges[channel].min - zero));
        if (in[channel])
          bytes.push_back(char((needed[row] ? w.at(row, column) : 0) + w.zero()));
      }
      bias.push_back(int32_t(sum));
    }
    return bytes;
  }

  std::vector<char> linked(std::vector<int32_t> &bias) const {
    for (int64_t channel : out.set_bits())
      bias.push_back(biasOf(channel));
    SmallVector<char> bytes = cut(w.weights.constant, out);
    return {bytes.begin(), bytes.end()};
  }

  void setBias(ArrayRef<int32_t> bias) {
    if (!w.bias.present() && llvm::all_of(bias, [](int32_t b) { return b == 0; }))
      return;
    auto type =
        RankedTensorType::get({int64_t(bias.size())}, IntegerType::get(w.op->getContext(), 32));
    std::vector<char> bytes = wordData("bias", bias).bytes;
    if (w.bias.present())
      w.op->setOperand(2, constantBefore(w.op, type, bytes, w.op->getOperand(2)));
    else
      w.op->insertOperands(2, constantBefore(w.op, type, bytes, nullptr));
  }

  const Plan &plan;
  Weights w;
  BitVector out;
};

} // namespace

/// Operands of a linked operator that are constants, not weights.
static void cutConstants(const Plan &plan, Operation *op) {
  for (unsigned i = 0; i < plan.flow(op).activations; ++i) {
    Value value = op->getOperand(i);
    if (!value.getDefiningOp<nn::ConstantOp>() || !plan.isCut(value))
      continue;
    BitVector kept = plan.keptOf(value);
    op->setOperand(i, constantBefore(op, cutChannels(typeOf(value), kept),
                                     cut(nn::describeTensor(value).constant, kept), value));
  }
}

Operation *simplify::removableChannels(func::FuncOp function, int64_t multiple) {
  Plan plan(function, multiple);
  for (Value value : plan.tensors())
    if (plan.isCut(value))
      return value.getDefiningOp();
  return nullptr;
}

namespace {
struct RemoveChannels : simplify::impl::RemoveChannelsBase<RemoveChannels> {
  using RemoveChannelsBase::RemoveChannelsBase;

  void runOnOperation() override {
    if (multiple < 1) {
      getOperation().emitError("multiple must be at least 1");
      return signalPassFailure();
    }
    Plan plan(getOperation(), multiple);
    if (llvm::none_of(plan.tensors(), [&](Value value) { return plan.isCut(value); }))
      return;
    // All with the types before: those say what there is to cut.
    SmallVector<std::pair<Value, BitVector>> results;
    for (Operation &op : llvm::make_early_inc_range(getOperation().getBody().front())) {
      auto node = dyn_cast<nn::NNOpInterface>(op);
      ChannelFlow::Kind kind = plan.flow(&op).kind;
      if (!node || kind == ChannelFlow::unknown)
        continue;
      Value result = op.getResult(0);
      if (plan.isCut(result) || plan.isCut(op.getOperand(0))) {
        if (plan.flow(&op).activations < op.getNumOperands())
          Cut(plan, &op).apply();
        else
          cutConstants(plan, &op);
      }
      if (plan.isCut(result))
        results.push_back({result, plan.keptOf(result)});
      // What fills is not always what it was.
      if (nn::OriginAttr origin = node.getOriginAttr(); origin && !plan.isWhole(result))
        op.setAttr("origin", simplify::withResultOf(origin, {}));
    }
    for (auto &[result, kept] : results) {
      numRemoved += kept.size() - kept.count();
      result.setType(cutChannels(typeOf(result), kept));
    }
  }
};
} // namespace
