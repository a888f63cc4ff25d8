// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/BufferLiveness.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// What stands between the function and being straight-line instructions.
static LogicalResult checkForm(func::FuncOp function, StringRef who) {
  for (Type type : function.getArgumentTypes())
    if (isDynamic(type))
      return function.emitError() << who << " does not support dynamic shapes: argument of type "
                                  << type << "; give the model static shapes first";
  if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
    return function.emitError() << who << " needs a function of one block; lower the model first";
  for (Operation &op : function.front()) {
    for (Type type : llvm::concat<const Type>(llvm::to_vector(op.getResultTypes()),
                                              llvm::to_vector(op.getOperandTypes())))
      if (isDynamic(type))
        return op.emitError() << who << " does not support dynamic shapes: " << type
                              << "; give the model static shapes first";
    if (!isa<AllocOp, DeallocOp, ViewOp, ConstantOp, InstrOpInterface, func::ReturnOp>(op))
      return op.emitError() << who << " works on instructions only, not on '"
                            << op.getName().getStringRef() << "'; lower the model first";
  }
  if (function.front().getNumArguments() || function.front().getTerminator()->getNumOperands())
    return function.emitError() << who
                                << " needs a function without arguments and results "
                                   "(inputs and outputs are allocs); lower the model first";
  return success();
}

FailureOr<BufferLiveness> BufferLiveness::compute(func::FuncOp function, StringRef who) {
  if (failed(checkForm(function, who)))
    return failure();
  BufferLiveness result;
  auto &lives = result.lives;
  int64_t step = 0;
  for (Operation &op : function.front()) {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      result.indices[alloc] = static_cast<int>(lives.size());
      BufferLife life;
      life.alloc = alloc;
      life.first = step + 1;
      lives.push_back(life);
    } else if (auto dealloc = dyn_cast<DeallocOp>(op)) {
      BufferLife &life = lives[result.indexOf(dealloc.getBuffer())];
      if (life.dealloc) {
        InFlightDiagnostic error = dealloc.emitError()
                                   << who << ": buffer '" << life.alloc.getName()
                                   << "' is deallocated twice";
        error.attachNote(life.dealloc.getLoc()) << "first here";
        return failure();
      }
      life.dealloc = dealloc;
      life.last = step;
    } else if (auto instruction = dyn_cast<InstrOpInterface>(op)) {
      ++step;
      result.steps.push_back(instruction);
      for (Value operand : op.getOperands())
        if (int index = result.indexOf(operand); index >= 0) {
          BufferLife &life = lives[index];
          if (life.dealloc)
            return op.emitError() << who << ": buffer '" << life.alloc.getName()
                                  << "' is used after its dealloc";
          if (life.usedLast < 0)
            life.usedFirst = step;
          life.usedLast = step;
        }
      for (OperandRange group :
           {instruction.getOuts(), instruction.getInouts(), instruction.getScratch()})
        for (Value operand : group)
          if (result.indexOf(operand) < 0)
            return op.emitError() << who << ": the instruction writes to a constant";
    }
  }
  for (BufferLife &life : lives) {
    if (!life.dealloc)
      life.last = step + 1;
    if (life.usedLast < 0) {
      life.usedFirst = life.first;
      life.usedLast = life.first - 1;
    }
    if (life.alloc.livesFromStart()) {
      life.first = life.usedFirst = 0;
      life.usedLast = std::max<int64_t>(life.usedLast, 0);
      life.last = std::max<int64_t>(life.last, 0);
    }
    if (life.alloc.livesToEnd())
      life.last = life.usedLast = step + 1;
  }
  return result;
}

LogicalResult BufferLiveness::requireTight(StringRef who) const {
  for (const BufferLife &life : lives) {
    AllocOp alloc = life.alloc;
    if (!life.dealloc)
      return alloc.emitError() << who << ": buffer '" << alloc.getName()
                               << "' has no instr.dealloc; run aotc-tighten-lifetimes first";
    if (life.first < life.usedFirst || life.last > life.usedLast)
      return alloc.emitError() << who << ": buffer '" << alloc.getName()
                               << "' lives longer than its uses; run aotc-tighten-lifetimes first";
  }
  return success();
}

int BufferLiveness::indexOf(Value value) const {
  auto found = indices.find(resolveBuffer(value).root);
  return found == indices.end() ? -1 : found->second;
}

SmallVector<OverlapAttr> aotc::recordedShares(Operation *op) {
  if (auto rules = op->getAttrOfType<ArrayAttr>(kSharesAttr))
    return llvm::to_vector(rules.getAsRange<OverlapAttr>());
  return {};
}
