// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the instructions in the order that planner/Order.h finds. Buffers then
// live throughout; tighten-lifetimes comes next.
#include "passes/Passes.h"
#include "passes/analysis/BufferLiveness.h"
#include "passes/analysis/Ordering.h"

#include "mlir/IR/Builders.h"

namespace aotc {
#define GEN_PASS_DEF_SCHEDULE
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

struct Schedule : aotc::impl::ScheduleBase<Schedule> {
  using ScheduleBase::ScheduleBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (failed(BufferLiveness::compute(function, getArgument())))
      return signalPassFailure();
    Accesses accesses(function);
    planner::OrderProblem problem = orderProblem(accesses, share);

    planner::TerminalProgress terminal("ordering instructions");
    planner::OrderOptions options;
    options.progress = [&](const planner::Progress &progress) { terminal.show(progress); };
    options.stateLimit = stateLimit;
    options.beamWidth = beamWidth;
    planner::Order order = planner::findOrder(problem, options);
    if (shuffle) {
      order.nodes = planner::shuffledOrder(problem, shuffle);
      order.peak = planner::peakOf(problem, order.nodes);
      order.proved = false;
    }
    if (!llvm::is_sorted(order.nodes))
      reorder(function, accesses, order.nodes);

    Builder builder(&getContext());
    function->setAttr(kOrderProvedAttr, builder.getBoolAttr(order.proved));
    function->setAttr(kOrderPeakAttr, builder.getI64IntegerAttr(order.peak));
    function->setAttr(kOrderGivenPeakAttr, builder.getI64IntegerAttr(order.givenPeak));
  }

private:
  static void reorder(func::FuncOp function, const Accesses &accesses, ArrayRef<int> order) {
    Block &block = function.front();
    // What makes buffers stays in front, in its order; deallocs go to the end.
    SmallVector<DeallocOp> deallocs(block.getOps<DeallocOp>());
    for (int index : order) {
      InstrOpInterface op = accesses.instructions()[index];
      op->moveBefore(block.getTerminator());
    }
    for (DeallocOp dealloc : deallocs)
      dealloc->moveBefore(block.getTerminator());
  }
};

} // namespace
