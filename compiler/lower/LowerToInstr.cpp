// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nn → instr: one walk in the order of the graph, after the kernels of all
// operators have been chosen (KernelSelect.h). Buffers are made where they are
// first written and freed at the end of the function; nothing is optimised
// here, so that every decision about memory is a pass one can read and test.
#include "compiler/lower/KernelSelect.h"
#include "compiler/lower/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace aotc;

namespace aotc::lower {
#define GEN_PASS_DEF_LOWERTOINSTR
#include "compiler/lower/Passes.h.inc"
} // namespace aotc::lower

namespace {

/// Name and number of a tensor in the user's file.
struct TensorLabel {
  std::string name;
  IntegerAttr tensor; ///< null if unknown
};

MemRefType bufferType(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), nn::storageType(type.getElementType()));
}

class Lowering {
public:
  Lowering(func::FuncOp source, lower::KernelSelection &selection, const TargetSpec &target,
           int64_t blockRows)
      : source(source), selection(selection), target(target), blockRows(blockRows),
        builder(source.getContext()) {}

  /// Builds the new function behind the old one, which is left alone.
  func::FuncOp run() {
    builder.setInsertionPointAfter(source);
    auto result = func::FuncOp::create(builder, source.getLoc(), source.getName(),
                                       builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(result.addEntryBlock());
    auto returnOp = cast<func::ReturnOp>(source.getBody().front().getTerminator());

    for (BlockArgument argument : source.getArguments())
      buffers[argument] = makeInput(argument);
    claimOutputs(returnOp);
    // Constants and reshapes are made by the first instruction that reads them.
    for (Operation &op : source.getBody().front().without_terminator())
      if (auto nnOp = dyn_cast<nn::NNOpInterface>(op); nnOp && !nnOp.isReshape())
        lowerKernel(nnOp);
    writeOutputs(returnOp);
    for (instr::AllocOp alloc : temporaries)
      instr::DeallocOp::create(builder, alloc.getLoc(), alloc.getBuffer());
    for (instr::AllocOp alloc : outputs)
      instr::DeallocOp::create(builder, alloc.getLoc(), alloc.getBuffer());
    func::ReturnOp::create(builder, returnOp.getLoc());
    return result;
  }

  unsigned sharedConstants = 0;

private:
  int64_t alignmentOf(MemRefType type) const {
    int64_t size = llvm::divideCeil(type.getElementTypeBitWidth(), 8u);
    return std::max<int64_t>(target.tensorAlign, size);
  }

  /// Inputs and outputs keep their tensor type: the header tells the user
  /// their quantisation, which a memref does not carry.
  instr::AllocOp makeAlloc(Location loc, Type tensorType, instr::Role role,
                           const TensorLabel &label, IntegerAttr position = {}) {
    MemRefType type = bufferType(tensorType);
    auto alloc = instr::AllocOp::create(builder, loc, type, label.name, alignmentOf(type), role,
                                        position, label.tensor, StringAttr(), IntegerAttr());
    if (position)
      alloc->setAttr(instr::kTensorTypeAttr, TypeAttr::get(tensorType));
    return alloc;
  }

  Value makeInput(BlockArgument argument) {
    unsigned i = argument.getArgNumber();
    TensorLabel label{("input" + Twine(i)).str(),
                      source.getArgAttrOfType<IntegerAttr>(i, nn::kTensorIndexAttr)};
    if (auto name = source.getArgAttrOfType<StringAttr>(i, nn::kTensorNameAttr))
      label.name = name.str();
    instr::AllocOp alloc = makeAlloc(argument.getLoc(), argument.getType(), instr::Role::input,
                                     label, builder.getI64IntegerAttr(i));
    temporaries.push_back(alloc);
    return alloc.getBuffer();
  }

  TensorLabel outputLabel(unsigned i) {
    TensorLabel label{("output" + Twine(i)).str(),
                      source.getResultAttrOfType<IntegerAttr>(i, nn::kTensorIndexAttr)};
    if (auto name = source.getResultAttrOfType<StringAttr>(i, nn::kTensorNameAttr))
      label.name = name.str();
    return label;
  }

  TensorLabel resultLabel(nn::NNOpInterface op, unsigned i) {
    TensorLabel label{op->getName().stripDialect().str(), {}};
    if (nn::OriginAttr origin = op.getOriginAttr()) {
      if (i < origin.getNames().size())
        label.name = origin.getNames()[i].str();
      if (i < origin.getTensors().size() && origin.getTensors()[i] >= 0)
        label.tensor = builder.getI64IntegerAttr(origin.getTensors()[i]);
    }
    return label;
  }

  /// Which kernel result is written straight to which output: the first output
  /// that shows it, possibly under another shape.
  void claimOutputs(func::ReturnOp returnOp) {
    for (auto [i, value] : llvm::enumerate(returnOp.getOperands())) {
      Value root = nn::reshapeRoot(value);
      if (root.getDefiningOp<nn::NNOpInterface>())
        claimed.try_emplace(root, i);
    }
  }

  /// A buffer for a kernel's result. An output has the type and the name the
  /// model gives it; the kernel writes it through a view if its own differs.
  Value makeResult(nn::NNOpInterface op, OpResult result) {
    TensorLabel label = resultLabel(op, result.getResultNumber());
    auto claim = claimed.find(result);
    if (claim == claimed.end()) {
      temporaries.push_back(makeAlloc(op.getLoc(), result.getType(), instr::Role::internal, label));
      return temporaries.back().getBuffer();
    }
    instr::AllocOp alloc = makeOutput(op.getLoc(), claim->second);
    MemRefType type = bufferType(result.getType());
    if (alloc.getBuffer().getType() == type)
      return alloc.getBuffer();
    nn::OriginAttr reshape; // what stands between the two
    for (Operation *user : result.getUsers())
      if (auto next = dyn_cast<nn::NNOpInterface>(user); next && next.isReshape())
        reshape = next.getOriginAttr();
    return instr::ViewOp::create(builder, op.getLoc(), type, alloc.getBuffer(), 0,
                                 builder.getStringAttr(label.name), label.tensor, reshape);
  }

  instr::AllocOp makeOutput(Location loc, unsigned position) {
    instr::AllocOp alloc = makeAlloc(loc, source.getResultTypes()[position], instr::Role::output,
                                     outputLabel(position), builder.getI64IntegerAttr(position));
    outputs.push_back(alloc);
    written.insert(position);
    return alloc;
  }

  void lowerKernel(nn::NNOpInterface op) {
    lower::SelectedKernel &selected = selection.find(op)->second;
    KernelCall &call = selected.call;
    std::string owner = resultLabel(op, 0).name;

    SmallVector<Value> ins, outs, scratch, data;
    for (int64_t operand : call.operands)
      ins.push_back(bufferOf(op->getOperand(operand)));
    for (KernelData &block : call.data)
      data.push_back(makeConstant(op.getLoc(), owner + "." + block.name, byteVector(block.bytes),
                                  block.align));
    for (OpResult result : op->getResults()) {
      outs.push_back(makeResult(op, result));
      buffers[result] = outs.back();
    }
    if (call.scratchBytes > 0)
      scratch.push_back(
          makeScratch(op.getLoc(), owner + ".scratch", call.scratchBytes, call.scratchAlign));
    instr::RowsAttr rows = rowsAttr(call);
    if (rows)
      if (int64_t bytes = rowTableBytes(instr::rowPointers(rows), target))
        scratch.push_back(makeScratch(op.getLoc(), owner + ".rows", bytes, target.pointerBytes()));

    instr::KernelOp::create(builder, op.getLoc(), call.symbol, call.level, ins, outs, ValueRange(),
                            scratch, data, call.shape, call.layer, rows, overlapsAttr(call),
                            movesAttr(call), call.macs, builder.getStringAttr(selected.remark),
                            /*descending=*/false, IntegerAttr(), IntegerAttr(), op.getOriginAttr());
    call.data.clear(); // packed weights are large and now live in the IR
  }

  Value makeScratch(Location loc, const std::string &name, int64_t bytes, int64_t align) {
    auto type = MemRefType::get({bytes}, builder.getI8Type());
    temporaries.push_back(instr::AllocOp::create(builder, loc, type, name, align,
                                                 instr::Role::scratch, IntegerAttr(), IntegerAttr(),
                                                 StringAttr(), IntegerAttr()));
    return temporaries.back().getBuffer();
  }

  instr::RowsAttr rowsAttr(const KernelCall &call) {
    if (!call.rows)
      return {};
    const RowGeometry &r = *call.rows;
    int64_t block = std::min(blockRows > 0 ? blockRows : r.blockRows, r.outRows);
    if (r.maxBlockRows > 0)
      block = std::min(block, r.maxBlockRows);
    return instr::RowsAttr::get(builder.getContext(), r.batches, r.inRows, r.inRowBytes, r.outRows,
                                r.outRowBytes, r.windowRows, r.stride, r.padTop, block);
  }

  ArrayAttr overlapsAttr(const KernelCall &call) {
    if (call.overlaps.empty())
      return {};
    SmallVector<Attribute> rules;
    for (const OverlapRule &rule : call.overlaps)
      rules.push_back(instr::OverlapAttr::get(builder.getContext(), rule.input, rule.output,
                                              rule.ascending, rule.descending, rule.multiple));
    return builder.getArrayAttr(rules);
  }

  ArrayAttr movesAttr(const KernelCall &call) {
    if (call.moves.empty())
      return {};
    SmallVector<Attribute> moves;
    for (const Move &move : call.moves)
      moves.push_back(instr::MoveAttr::get(builder.getContext(), move.input, move.inputOffset,
                                           move.output, move.outputOffset, move.bytes));
    return builder.getArrayAttr(moves);
  }

  /// The buffer of a value; constants and views are made at their first use.
  Value bufferOf(Value value) {
    // A loop: a file may hold a chain of thousands of reshapes.
    SmallVector<nn::NNOpInterface> missing;
    Value buffer;
    while (!(buffer = buffers.lookup(value))) {
      auto reshape = value.getDefiningOp<nn::NNOpInterface>();
      if (!reshape) {
        buffer = buffers[value] = constantBuffer(cast<nn::ConstantOp>(value.getDefiningOp()));
        break;
      }
      assert(reshape.isReshape() && "kernels' results have their buffer");
      missing.push_back(reshape);
      value = reshape->getOperand(0);
    }
    for (nn::NNOpInterface reshape : llvm::reverse(missing)) {
      TensorLabel label = resultLabel(reshape, 0);
      Value result = reshape->getResult(0);
      buffer = buffers[result] = instr::ViewOp::create(
          builder, reshape.getLoc(), bufferType(result.getType()), buffer, 0,
          builder.getStringAttr(label.name), label.tensor, reshape.getOriginAttr());
    }
    return buffer;
  }

  Value constantBuffer(nn::ConstantOp constant) {
    MemRefType type = bufferType(constant.getType());
    std::string name = "constant";
    if (nn::OriginAttr origin = constant.getOriginAttr())
      if (!origin.getNames().empty())
        name = origin.getNames().front().str();
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    return makeConstant(constant.getLoc(), name, elements, alignmentOf(type));
  }

  DenseElementsAttr byteVector(ArrayRef<char> bytes) {
    auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())}, builder.getI8Type());
    return DenseElementsAttr::getFromRawBuffer(type, bytes);
  }

  /// One instr.constant per content and type, at the top of the function. The
  /// strictest alignment of all users holds. All are the model's parameters, so
  /// all count as weights.
  Value makeConstant(Location loc, const std::string &name, DenseElementsAttr value,
                     int64_t align) {
    instr::ConstantOp &known = constants[value];
    if (known) {
      ++sharedConstants;
      known.setAlign(std::max<int64_t>(known.getAlign(), align));
      return known.getBuffer();
    }
    auto type = MemRefType::get(value.getType().getShape(), value.getElementType());
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.getInsertionBlock();
    if (lastConstant)
      builder.setInsertionPointAfter(lastConstant);
    else
      builder.setInsertionPointToStart(block);
    known = instr::ConstantOp::create(builder, loc, type, name, value, align,
                                      /*weights=*/true);
    lastConstant = known;
    return known.getBuffer();
  }

  /// Outputs no kernel writes: an input, a constant, or another output's value.
  void writeOutputs(func::ReturnOp returnOp) {
    for (auto [i, value] : llvm::enumerate(returnOp.getOperands())) {
      if (written.contains(i))
        continue;
      Value from = bufferOf(value);
      instr::AllocOp alloc = makeOutput(returnOp.getLoc(), i);
      instr::CopyOp::create(builder, returnOp.getLoc(), from, alloc.getBuffer(),
                            /*descending=*/false, IntegerAttr(), IntegerAttr(), nn::OriginAttr());
    }
  }

  func::FuncOp source;
  lower::KernelSelection &selection;
  const TargetSpec &target;
  int64_t blockRows;
  OpBuilder builder;
  DenseMap<Value, Value> buffers;
  DenseMap<Value, unsigned> claimed; ///< kernel result → output position
  DenseSet<unsigned> written;        ///< outputs that have their buffer
  SmallVector<instr::AllocOp> temporaries, outputs;
  DenseMap<Attribute, instr::ConstantOp> constants;
  Operation *lastConstant = nullptr;
};

struct LowerToInstr : lower::impl::LowerToInstrBase<LowerToInstr> {
  using LowerToInstrBase::LowerToInstrBase;

  void runOnOperation() override {
    const TargetSpec *spec = findTarget(target);
    if (!spec) {
      InFlightDiagnostic error = getOperation().emitError("unknown target '") << target << "'";
      SmallVector<StringRef, 3> similar = similarTargets(target);
      if (!similar.empty())
        error << ", did you mean " << llvm::join(similar, " or ") << "?";
      return signalPassFailure();
    }
    auto source = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!source || !source.getBody().hasOneBlock()) {
      getOperation().emitError("there is no function 'main' of one block to lower");
      return signalPassFailure();
    }
    if (failed(checkSource(source)))
      return signalPassFailure();
    FailureOr<lower::KernelSelection> selection =
        lower::selectKernels(source, *spec, kernelLevel, optimize);
    if (failed(selection))
      return signalPassFailure();
    Lowering lowering(source, *selection, *spec, blockRows);
    lowering.run();
    numKernels += selection->size();
    numSharedConstants += lowering.sharedConstants;
    source.erase();
  }

  /// Only operations this pass knows how to lower may follow.
  LogicalResult checkSource(func::FuncOp source) {
    for (Type type : llvm::concat<const Type>(source.getArgumentTypes(), source.getResultTypes())) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !nn::storageBytes(tensor) || !instr::isBufferType(bufferType(tensor)))
        return source.emitError("no buffer can hold an argument or result of type ") << type;
    }
    for (Operation &op : source.getBody().front()) {
      if (auto constant = dyn_cast<nn::ConstantOp>(op)) {
        if (!isa<DenseElementsAttr>(constant.getValue()))
          return op.emitError("only dense constants can be lowered");
      } else if (!isa<nn::NNOpInterface, func::ReturnOp>(op)) {
        return op.emitError("is no operation of the nn dialect");
      }
    }
    return success();
  }
};

} // namespace
