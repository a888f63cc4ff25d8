// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What later passes and the emitter take for granted after lowering, checked
// once in one place.
#include "compiler/lower/Passes.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace aotc;

namespace aotc::lower {
#define GEN_PASS_DEF_VERIFYLOWERED
#include "compiler/lower/Passes.h.inc"
} // namespace aotc::lower

namespace {

LogicalResult checkOperation(Operation &op) {
  bool isInstr = op.getDialect() && isa<instr::InstrDialect>(op.getDialect());
  if (!isInstr && !isa<func::ReturnOp>(op))
    return op.emitError("is left over after lowering");
  return success();
}

/// Every use of the buffer, through views too, comes before its one dealloc.
LogicalResult checkLifetime(instr::AllocOp alloc) {
  instr::DeallocOp dealloc;
  Operation *lastUse = alloc;
  SmallVector<Value> aliases = {alloc.getBuffer()};
  while (!aliases.empty()) {
    for (Operation *user : aliases.pop_back_val().getUsers()) {
      if (auto free = dyn_cast<instr::DeallocOp>(user)) {
        if (dealloc) {
          instr::DeallocOp second = dealloc->isBeforeInBlock(free) ? free : dealloc;
          return second.emitError("buffer '") << alloc.getName() << "' is freed twice";
        }
        dealloc = free;
        continue;
      }
      if (auto view = dyn_cast<instr::ViewOp>(user))
        aliases.push_back(view.getResult());
      if (lastUse->isBeforeInBlock(user))
        lastUse = user;
    }
  }
  if (!dealloc)
    return alloc.emitError("buffer '") << alloc.getName() << "' is never freed";
  if (dealloc->isBeforeInBlock(lastUse))
    return lastUse->emitError("uses buffer '") << alloc.getName() << "' after it was freed";
  return success();
}

/// Positions of one role are 0, 1, 2, … in any order.
LogicalResult checkPositions(func::FuncOp function, instr::Role role) {
  llvm::BitVector seen;
  for (auto alloc : function.getOps<instr::AllocOp>()) {
    if (alloc.getRole() != role)
      continue;
    uint64_t position = *alloc.getPosition();
    // As many positions as operations at most, whatever the text says.
    if (position >= function.getBody().front().getOperations().size())
      return alloc.emitError("position ") << position << " is out of range";
    if (position >= seen.size())
      seen.resize(position + 1);
    if (seen.test(position))
      return alloc.emitError("position ") << position << " is taken twice";
    seen.set(position);
  }
  if (!seen.all())
    return function.emitError() << instr::stringifyRole(role) << "s have a gap at position "
                                << seen.find_first_unset();
  return success();
}

struct VerifyLowered : lower::impl::VerifyLoweredBase<VerifyLowered> {
  using VerifyLoweredBase::VerifyLoweredBase;

  void runOnOperation() override {
    if (failed(check()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

  LogicalResult check() {
    for (Operation &op : *getOperation().getBody())
      if (!isa<func::FuncOp>(op))
        return op.emitError("is left over after lowering");
    auto function = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!function || !llvm::hasSingleElement(*getOperation().getBody()))
      return getOperation().emitError("must hold one function, 'main'");
    if (function.getNumArguments() || function.getNumResults())
      return function.emitError("must have neither arguments nor results after lowering");
    if (!function.getBody().hasOneBlock())
      return function.emitError("must be one straight line");
    for (Operation &op : function.getBody().front())
      if (failed(checkOperation(op)))
        return failure();
    for (auto alloc : function.getOps<instr::AllocOp>())
      if (failed(checkLifetime(alloc)))
        return failure();
    return success(succeeded(checkPositions(function, instr::Role::input)) &&
                   succeeded(checkPositions(function, instr::Role::output)));
  }
};

} // namespace
