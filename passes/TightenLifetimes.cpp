// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sinks allocs, hoists deallocs. Liveness knows where the uses are; this pass
// only moves the markers there.
#include "passes/Passes.h"
#include "passes/analysis/BufferLiveness.h"

namespace aotc {
#define GEN_PASS_DEF_TIGHTENLIFETIMES
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

void moveBeforeFirstUser(Operation *op) {
  Operation *first = nullptr;
  for (Operation *user : op->getUsers())
    if (!first || user->isBeforeInBlock(first))
      first = user;
  if (!first)
    return;
  // Unlike moveBefore(), this keeps the block's order numbers, which the next
  // comparison would have to count anew.
  op->remove();
  first->getBlock()->getOperations().insert(Block::iterator(first), op);
}

struct TightenLifetimes : aotc::impl::TightenLifetimesBase<TightenLifetimes> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto liveness = BufferLiveness::compute(function, "aotc-tighten-lifetimes");
    if (failed(liveness))
      return signalPassFailure();

    Block &block = function.front();
    Operation *terminator = block.getTerminator();
    for (const BufferLife &life : liveness->buffers()) {
      AllocOp alloc = life.alloc;
      bool touched = life.usedFirst <= life.usedLast;
      if (!touched) {
        eraseViews(alloc.getBuffer());
        if (life.dealloc)
          life.dealloc->erase();
        alloc->erase();
        continue;
      }
      Operation *dealloc = life.dealloc;
      if (!dealloc) {
        OpBuilder builder(terminator);
        dealloc = DeallocOp::create(builder, alloc.getLoc(), alloc.getBuffer());
      }
      int64_t steps = liveness->instructions().size();
      if (life.usedLast > steps)
        dealloc->moveBefore(terminator);
      else if (life.usedLast > 0) {
        InstrOpInterface last = liveness->instructions()[life.usedLast - 1];
        dealloc->moveAfter(last);
      } else
        dealloc->moveAfter(alloc);
    }
    // Users first, so that an alloc sinks past the views that have sunk.
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (auto view = dyn_cast<ViewOp>(op)) {
        if (view->use_empty())
          view->erase();
        else
          moveBeforeFirstUser(view);
      } else if (auto alloc = dyn_cast<AllocOp>(op)) {
        if (!alloc.livesFromStart())
          moveBeforeFirstUser(alloc);
      }
    }
  }

  /// Erases all views of a buffer nobody else uses; users first.
  static void eraseViews(Value buffer) {
    SmallVector<Operation *> views;
    size_t next = 0;
    for (Value value = buffer;;) {
      for (Operation *user : value.getUsers())
        if (isa<ViewOp>(user))
          views.push_back(user);
      if (next == views.size())
        break;
      value = views[next++]->getResult(0);
    }
    for (Operation *view : llvm::reverse(views))
      view->erase();
  }
};

} // namespace
