// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters each instruction's overlap rules by what is legal where it stands.
#include "passes/Passes.h"
#include "passes/analysis/BufferLiveness.h"
#include "passes/analysis/Overlaps.h"

#include "mlir/IR/Builders.h"

namespace aotc {
#define GEN_PASS_DEF_SHAREBUFFERS
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

struct ShareBuffers : aotc::impl::ShareBuffersBase<ShareBuffers> {
  using ShareBuffersBase::ShareBuffersBase;

  void runOnOperation() override {
    StringRef who = getArgument();
    auto liveness = BufferLiveness::compute(getOperation(), who);
    if (failed(liveness) || failed(liveness->requireTight(who)))
      return signalPassFailure();
    for (auto [index, instruction] : llvm::enumerate(liveness->instructions()))
      annotate(instruction, index + 1, *liveness);
  }

private:
  /// The rule without what the options exclude; null if nothing is left.
  OverlapAttr restricted(OverlapAttr rule, InstrOpInterface op) {
    auto ascending = rule.getAscending(), descending = rule.getDescending();
    if (direction == ShareDirection::descending)
      ascending = std::nullopt;
    if (direction == ShareDirection::ascending)
      descending = std::nullopt;
    if (mode == ShareMode::inPlace) {
      if (sizeOf(op.getIns()[rule.getInput()]) != sizeOf(op.getOuts()[rule.getOutput()]))
        return nullptr;
      if (ascending && *ascending > 0)
        ascending = std::nullopt;
      if (descending && *descending > 0)
        descending = std::nullopt;
    }
    if (mode == ShareMode::none || (!ascending && !descending))
      return nullptr;
    return OverlapAttr::get(&getContext(), rule.getInput(), rule.getOutput(), ascending, descending,
                            rule.getMultiple());
  }

  static int64_t sizeOf(Value value) { return byteSize(cast<MemRefType>(value.getType())); }

  void annotate(InstrOpInterface op, int64_t step, const BufferLiveness &liveness) {
    SmallVector<OverlapAttr> rules;
    bool canDescend = false;
    for (OverlapAttr rule : op.getOverlapRules()) {
      canDescend |= rule.getDescending().has_value();
      if (OverlapAttr rest = restricted(rule, op))
        rules.push_back(rest);
    }
    if (direction == ShareDirection::descending && canDescend)
      op.setDescending(true);

    SmallVector<Attribute> shares;
    for (OverlapAttr rule : rules)
      if (isLegal(rule, rules, op, step, liveness))
        shares.push_back(rule);
    if (shares.empty())
      op->removeAttr(kSharesAttr);
    else
      op->setAttr(kSharesAttr, ArrayAttr::get(&getContext(), shares));
  }

  bool isLegal(OverlapAttr rule, ArrayRef<OverlapAttr> rules, InstrOpInterface op, int64_t step,
               const BufferLiveness &liveness) {
    int input = liveness.indexOf(op.getIns()[rule.getInput()]);
    int output = liveness.indexOf(op.getOuts()[rule.getOutput()]);
    if (input < 0 || output < 0 || input == output)
      return false;
    const BufferLife &in = liveness.buffers()[input], &out = liveness.buffers()[output];
    // Born and dead here. What lives to the end has a later last use by definition.
    if (in.usedLast != step || out.usedFirst != step)
      return false;
    return rulesCover(op, rules, in.alloc, out.alloc);
  }
};

} // namespace
