// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Live bytes at each instruction: live-in and live-out together, as in the
// classical definition (a buffer that is born or dies here counts).
#include "passes/Passes.h"
#include "passes/analysis/BufferLiveness.h"
#include "passes/analysis/Overlaps.h"

#include "mlir/IR/Builders.h"

namespace aotc {
#define GEN_PASS_DEF_ANNOTATEUSEDMEMORY
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

struct AnnotateUsedMemory : aotc::impl::AnnotateUsedMemoryBase<AnnotateUsedMemory> {
  void runOnOperation() override {
    StringRef who = getArgument();
    auto liveness = BufferLiveness::compute(getOperation(), who);
    if (failed(liveness) || failed(liveness->requireTight(who)))
      return signalPassFailure();

    Builder builder(&getContext());
    int64_t io = 0;
    for (const BufferLife &life : liveness->buffers()) {
      AllocOp alloc = life.alloc;
      if (alloc.getRole() == Role::input || alloc.getRole() == Role::output)
        io += alloc.getBytes();
    }
    getOperation()->setAttr(kIoUsedMemoryAttr, builder.getI64IntegerAttr(io));

    // What each step adds to the live bytes of the step before; step 0 is the
    // caller's.
    size_t steps = liveness->instructions().size();
    std::vector<int64_t> used(steps + 2), scratch(steps + 2);
    for (const BufferLife &life : liveness->buffers()) {
      AllocOp alloc = life.alloc;
      if (life.usedFirst > life.usedLast)
        continue;
      auto &bytes = alloc.getRole() == Role::scratch ? scratch : used;
      bytes[life.usedFirst] += alloc.getBytes();
      if (life.usedLast <= static_cast<int64_t>(steps))
        bytes[life.usedLast + 1] -= alloc.getBytes();
    }
    for (auto [index, instruction] : llvm::enumerate(liveness->instructions())) {
      size_t step = index + 1;
      used[step] += used[index];
      scratch[step] += scratch[index];
      InstrOpInterface op = instruction;
      op.setUsedMemory(used[step] - bytesInPlace(op, *liveness));
      op.setScratchMemory(scratch[step]);
    }
  }

private:
  /// Bytes of the instruction's outputs that may stand exactly on an input.
  static int64_t bytesInPlace(InstrOpInterface op, const BufferLiveness &liveness) {
    int64_t bytes = 0;
    llvm::SmallDenseSet<int> taken; // a buffer is one half of one pair
    for (OverlapAttr rule : recordedShares(op)) {
      Value in = op.getIns()[rule.getInput()], out = op.getOuts()[rule.getOutput()];
      int input = liveness.indexOf(in), output = liveness.indexOf(out);
      AllocOp inAlloc = liveness.buffers()[input].alloc,
              outAlloc = liveness.buffers()[output].alloc;
      // In place: they can have all bytes in common.
      int64_t size = outAlloc.getBytes();
      bool inPlace = inAlloc.getBytes() == size &&
                     llvm::any_of(overlapsOf(op, recordedShares(op), inAlloc, outAlloc),
                                  [&](const planner::MayOverlap &may) {
                                    return planner::mostShared(may, size, size) == size;
                                  });
      if (inPlace && !taken.contains(input) && !taken.contains(output)) {
        taken.insert(input);
        taken.insert(output);
        bytes += outAlloc.getBytes();
      }
    }
    return bytes;
  }
};

} // namespace
