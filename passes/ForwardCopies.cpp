// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies go where two tensors can live in one place. First every value gets a
// buffer of its own and every instruction that only moves bytes falls apart
// into copies. A copy then disappears in one of two ways: its source becomes
// part of its target's buffer (whoever computes the source writes it where it
// is wanted), or its target part of its source's (whoever reads the target
// reads the original). Both need that the two never hold different values that
// someone still wants, and that the peak does not grow: a small slice may be
// cheaper to copy than to keep the whole alive for.
#include "passes/Passes.h"
#include "passes/analysis/BufferLiveness.h"
#include "passes/analysis/Ordering.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace aotc {
#define GEN_PASS_DEF_FORWARDCOPIES
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

DeallocOp deallocOf(AllocOp alloc) {
  for (Operation *user : alloc->getUsers())
    if (auto dealloc = dyn_cast<DeallocOp>(user))
      return dealloc;
  return {};
}

/// Lets a buffer live throughout; tighten-lifetimes knows better later.
void widen(Operation *root) {
  Block *block = root->getBlock();
  root->moveBefore(&block->front());
  if (auto alloc = dyn_cast<AllocOp>(root))
    if (DeallocOp dealloc = deallocOf(alloc))
      dealloc->moveBefore(block->getTerminator());
}

//===----------------------------------------------------------------------===//
// One buffer per value
//===----------------------------------------------------------------------===//

/// Cuts the life of a buffer where an instruction overwrites it all: what went
/// before is another value and gets a buffer of its own.
void splitValues(AllocOp alloc, ArrayRef<Access> list) {
  if ((alloc.getRole() != Role::internal && alloc.getRole() != Role::output) ||
      alloc.getPreserved())
    return;
  // Positions that begin a value, the first apart.
  SmallVector<int64_t> cuts;
  for (size_t i = 1; i < list.size(); ++i) {
    auto alone = [&] {
      return llvm::count_if(list, [&](const Access &other) {
               return other.position == list[i].position;
             }) == 1;
    };
    if (list[i].writes && !list[i].reads && list[i].range == ByteRange{0, alloc.getBytes()} &&
        alone())
      cuts.push_back(list[i].position);
  }
  int64_t from = -1;
  for (auto [number, cut] : llvm::enumerate(cuts)) {
    OpBuilder builder(alloc);
    auto part =
        AllocOp::create(builder, alloc.getLoc(), alloc.getBuffer().getType(),
                        (alloc.getName() + "." + Twine(number)).str(), alloc.getAlign(),
                        Role::internal, IntegerAttr(), IntegerAttr(), StringAttr(), IntegerAttr());
    for (const Access &access : list) {
      if (access.position < from || access.position >= cut)
        continue;
      Value value = access.operand->get();
      if (value == alloc.getBuffer())
        access.operand->set(part.getBuffer());
      else
        access.operand->set(ViewOp::create(
            builder, value.getLoc(), cast<MemRefType>(value.getType()), part.getBuffer(),
            access.range.begin, StringAttr(), IntegerAttr(), nn::OriginAttr()));
    }
    builder.setInsertionPoint(alloc->getBlock()->getTerminator());
    DeallocOp::create(builder, alloc.getLoc(), part.getBuffer());
    from = cut;
  }
}

//===----------------------------------------------------------------------===//
// Instructions that only move bytes
//===----------------------------------------------------------------------===//

Value partOf(OpBuilder &builder, Value value, int64_t offset, int64_t bytes) {
  if (offset == 0 && bytes == byteSize(cast<MemRefType>(value.getType())))
    return value;
  auto type = MemRefType::get({bytes}, builder.getI8Type());
  return ViewOp::create(builder, value.getLoc(), type, value, offset, StringAttr(), IntegerAttr(),
                        nn::OriginAttr());
}

/// The moves, those joined that continue one another: strips of a slice that
/// is contiguous become one.
SmallVector<MoveAttr> joinedMoves(InstrOpInterface op) {
  SmallVector<MoveAttr> result;
  for (MoveAttr move : op.getMoveList()) {
    if (!result.empty()) {
      MoveAttr &last = result.back();
      if (last.getInput() == move.getInput() && last.getOutput() == move.getOutput() &&
          last.getInputOffset() + last.getBytes() == move.getInputOffset() &&
          last.getOutputOffset() + last.getBytes() == move.getOutputOffset()) {
        last = MoveAttr::get(op->getContext(), last.getInput(), last.getInputOffset(),
                             last.getOutput(), last.getOutputOffset(),
                             last.getBytes() + move.getBytes());
        continue;
      }
    }
    result.push_back(move);
  }
  return result;
}

/// Replaces an instruction by the copies that do what it does.
SmallVector<CopyOp> breakUp(InstrOpInterface op) {
  if (auto copy = dyn_cast<CopyOp>(op.getOperation()))
    return {copy};
  SmallVector<CopyOp> copies;
  OpBuilder builder(op);
  for (MoveAttr move : joinedMoves(op))
    copies.push_back(CopyOp::create(
        builder, op.getLoc(),
        partOf(builder, op.getIns()[move.getInput()], move.getInputOffset(), move.getBytes()),
        partOf(builder, op.getOuts()[move.getOutput()], move.getOutputOffset(), move.getBytes()),
        /*descending=*/false, IntegerAttr(), IntegerAttr(),
        op->getAttrOfType<nn::OriginAttr>("origin")));
  op->erase();
  return copies;
}

/// One copy would overwrite what another still has to read.
bool readsWhatItWrites(InstrOpInterface op) {
  for (Value in : op.getIns())
    for (Value out : op.getOuts())
      if (resolveBuffer(in).root == resolveBuffer(out).root &&
          rangeInRoot(in).meets(rangeInRoot(out)))
        return true;
  return false;
}

//===----------------------------------------------------------------------===//
// One copy
//===----------------------------------------------------------------------===//

void eraseUnusedViews(Value value) {
  while (auto view = value.getDefiningOp<ViewOp>()) {
    if (!view->use_empty())
      return;
    value = view.getSource();
    view->erase();
  }
}

/// `part` becomes the bytes of `whole` from `offset` on; `copy` is no longer
/// needed then.
void replaceByView(AllocOp part, Operation *whole, int64_t offset, CopyOp copy) {
  widen(whole);
  if (auto alloc = dyn_cast<AllocOp>(whole))
    alloc.setAlign(std::max(alloc.getAlign(), part.getAlign()));
  else if (auto constant = dyn_cast<ConstantOp>(whole))
    constant.setAlign(std::max(constant.getAlign(), part.getAlign()));
  if (DeallocOp dealloc = deallocOf(part))
    dealloc->erase();
  OpBuilder builder(part.getContext());
  builder.setInsertionPointAfter(whole);
  auto view =
      ViewOp::create(builder, part.getLoc(), part.getBuffer().getType(), whole->getResult(0),
                     offset, part.getNameAttr(), part.getTensorAttr(), copy.getOriginAttr());
  part.getBuffer().replaceAllUsesWith(view.getResult());
  part->erase();
}

/// Nobody outside the function knows the buffer.
bool isPrivate(AllocOp alloc) { return alloc.getRole() == Role::internal && !alloc.getPreserved(); }

/// One copy, and all else that touches its two buffers.
class Candidate {
public:
  Candidate(CopyOp copy, const Accesses &accesses)
      : copy(copy), accesses(accesses), source(resolveBuffer(copy.getSource())),
        target(resolveBuffer(copy.getTarget())), bytes(byteSize(copy.getSource().getType())),
        ofSource(accesses.of(source.root)), ofTarget(accesses.of(target.root)) {
    position = llvm::find(accesses.instructions(), cast<InstrOpInterface>(copy.getOperation())) -
               accesses.instructions().begin();
  }

  /// Removes the copy if it can.
  bool dissolve() {
    if (source.root == target.root) {
      if (source.offset != target.offset)
        return false;
    } else if (sourceCanMove()) {
      if (sinks)
        accesses.instructions()[ofSource.front().position]->moveBefore(copy);
      replaceByView(cast<AllocOp>(source.root), target.root, target.offset, copy);
    } else if (targetCanMove()) {
      replaceByView(cast<AllocOp>(target.root), source.root, source.offset, copy);
    } else {
      return false;
    }
    Value ends[] = {copy.getSource(), copy.getTarget()};
    copy->erase();
    for (Value end : ends)
      eraseUnusedViews(end);
    return true;
  }

private:
  /// May the source's buffer be part of the target's?
  bool sourceCanMove() {
    auto from = dyn_cast<AllocOp>(source.root), to = dyn_cast<AllocOp>(target.root);
    if (!from || !to || !isPrivate(from) ||
        (to.getRole() != Role::internal && to.getRole() != Role::output) || source.offset != 0 ||
        bytes != from.getBytes() || target.offset % static_cast<int64_t>(from.getAlign()))
      return false;
    // The value does not change once it was copied.
    for (const Access &access : ofSource)
      if (access.writes && access.position > position)
        return false;
    // From its birth to the copy the place is free, and as long as the value
    // is read later, nobody else writes there.
    int64_t first = ofSource.front().position, last = ofSource.back().position;
    ByteRange place = {target.offset, target.offset + bytes};
    for (const Access &access : ofTarget) {
      if (access.position == position || !access.range.meets(place))
        continue;
      if (access.position > position && access.writes && access.position <= last)
        return false;
      sinks |= access.position < position && access.position >= first;
    }
    // Taken in between: the value may still be computed after that.
    bool onlyProducer = llvm::count_if(ofSource, [&](const Access &access) {
                          return access.position < position;
                        }) == 1;
    return !sinks || (onlyProducer && canSink(first));
  }

  /// May the target's buffer be part of the source's?
  bool targetCanMove() const {
    auto to = dyn_cast<AllocOp>(target.root);
    auto from = dyn_cast_or_null<AllocOp>(source.root);
    if (!to || !isPrivate(to) || target.offset != 0 || bytes != to.getBytes() ||
        (!from && !isa_and_nonnull<ConstantOp>(source.root)) ||
        (from && from.getRole() == Role::scratch) ||
        source.offset % static_cast<int64_t>(to.getAlign()))
      return false;
    // The copy alone writes it, and the original does not change while it is read.
    int64_t last = ofTarget.back().position;
    for (const Access &access : ofTarget)
      if (access.position != position && (access.writes || access.position < position))
        return false;
    ByteRange place = {source.offset, source.offset + bytes};
    for (const Access &access : ofSource)
      if (access.writes && access.range.meets(place) && access.position > position &&
          access.position <= last)
        return false;
    return true;
  }

  /// May the instruction at `at` run just before the copy instead?
  bool canSink(int64_t at) const {
    for (Value operand : accesses.instructions()[at]->getOperands())
      for (ArrayRef<Access> list = accesses.of(resolveBuffer(operand).root);
           const Access &mine : list)
        for (const Access &other : list)
          if (mine.position == at && other.position > at && other.position < position &&
              (mine.writes || other.writes) && mine.range.meets(other.range))
            return false;
    return true;
  }

  CopyOp copy;
  const Accesses &accesses;
  BufferRef source, target;
  int64_t bytes, position;
  ArrayRef<Access> ofSource, ofTarget;
  bool sinks = false; ///< the source's producer must run later than it does
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// What became of one instruction that moves bytes.
struct Outcome {
  unsigned removed = 0;
  SmallVector<CopyOp> rest; ///< copies that stay
};

/// Breaks up `op` and removes its copies, or only number `which`.
Outcome dissolve(func::FuncOp function, InstrOpInterface op, std::optional<size_t> which) {
  Outcome result;
  for (auto [index, copy] : llvm::enumerate(breakUp(op))) {
    Accesses accesses(function); // changes with each
    if ((!which || *which == index) && Candidate(copy, accesses).dissolve())
      ++result.removed;
    else
      result.rest.push_back(copy);
  }
  return result;
}

struct ForwardCopies : aotc::impl::ForwardCopiesBase<ForwardCopies> {
  using ForwardCopiesBase::ForwardCopiesBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (failed(BufferLiveness::compute(function, getArgument())))
      return signalPassFailure();
    Accesses accesses(function);
    for (const auto &[root, list] : accesses)
      if (auto alloc = dyn_cast_or_null<AllocOp>(root))
        splitValues(alloc, list);

    SmallVector<InstrOpInterface> movers;
    for (InstrOpInterface op : accesses.instructions())
      if (!op.getMoveList().empty() && (isa<CopyOp>(op.getOperation()) || !readsWhatItWrites(op)))
        movers.push_back(op);

    // Last first: of nested concatenations the outermost is the buffer. Until
    // nothing changes: what did not pay may do so once another copy is gone.
    peak = peakOf(function, share);
    std::reverse(movers.begin(), movers.end());
    for (bool changed = true; changed;) {
      changed = false;
      SmallVector<InstrOpInterface> left;
      for (InstrOpInterface op : movers)
        if (std::optional<Outcome> outcome = tryParts(op)) {
          changed = true;
          left.append(outcome->rest.rbegin(), outcome->rest.rend());
        } else {
          left.push_back(op);
        }
      movers = std::move(left);
    }
  }

private:
  /// A concatenation may pay only if all its inputs take part; else one may.
  std::optional<Outcome> tryParts(InstrOpInterface op) {
    size_t count = joinedMoves(op).size();
    std::optional<Outcome> outcome = tryOn(op, std::nullopt);
    for (size_t which = 0; which < count && count > 1 && !outcome; ++which)
      outcome = tryOn(op, which);
    return outcome;
  }

  /// Does so if a copy can be removed without the peak growing; else changes
  /// nothing.
  std::optional<Outcome> tryOn(InstrOpInterface op, std::optional<size_t> which) {
    func::FuncOp function = getOperation();
    IRMapping mapping;
    auto trial = cast<func::FuncOp>(function->clone(mapping));
    auto cloned = cast<InstrOpInterface>(mapping.lookup(op.getOperation()));
    bool good = dissolve(trial, cloned, which).removed > 0;
    int64_t after = good ? peakOf(trial, share) : 0;
    trial->erase();
    if (!good || after > peak)
      return std::nullopt;
    peak = after;
    Outcome outcome = dissolve(function, op, which);
    numRemoved += outcome.removed;
    return outcome;
  }

  int64_t peak = 0;
};

} // namespace
