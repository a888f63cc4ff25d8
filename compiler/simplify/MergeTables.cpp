// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of one byte after one another become one (Passes.td says when and why).
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"
#include "compiler/simplify/PortableKernel.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_MERGETABLES
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

static bool isReshape(Operation *op) {
  auto node = dyn_cast_or_null<nn::NNOpInterface>(op);
  return node && node.isReshape();
}

Operation *simplify::tableBefore(Operation *op) {
  if (byteTable(op).empty())
    return nullptr;
  Value value = op->getOperand(0);
  while (value.hasOneUse() && isReshape(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  Operation *producer = value.hasOneUse() ? value.getDefiningOp() : nullptr;
  return producer && !byteTable(producer).empty() ? producer : nullptr;
}

namespace {
struct MergeTables : simplify::impl::MergeTablesBase<MergeTables> {
  using MergeTablesBase::MergeTablesBase;

  void runOnOperation() override {
    for (Operation &op : llvm::make_early_inc_range(getOperation().getBody().front()))
      if (Operation *producer = simplify::tableBefore(&op)) {
        merge(producer, &op);
        ++numMerged;
      }
  }

  /// In the place of the first, so that reshapes between stay, behind it.
  static void merge(Operation *first, Operation *second) {
    std::vector<char> inner = simplify::byteTable(first), outer = simplify::byteTable(second);
    SmallVector<int8_t> table;
    for (char byte : inner)
      table.push_back(int8_t(outer[uint8_t(byte)]));

    Type elementType = cast<RankedTensorType>(second->getResult(0).getType()).getElementType();
    auto retyped = [&](Value value) {
      return cast<RankedTensorType>(value.getType()).clone(elementType);
    };
    auto origin = [](Operation *op) { return cast<nn::NNOpInterface>(op).getOriginAttr(); };
    OpBuilder builder(first);
    Value merged =
        nn::TableOp::create(builder, first->getLoc(), retyped(first->getResult(0)),
                            first->getOperand(0), table, simplify::withResultOf(origin(first), {}));
    first->getResult(0).replaceAllUsesWith(merged);
    Value last = second->getOperand(0);
    for (Value value = last; value != merged; value = value.getDefiningOp()->getOperand(0)) {
      value.setType(retyped(value));
      if (nn::OriginAttr own = origin(value.getDefiningOp()))
        value.getDefiningOp()->setAttr("origin", simplify::withResultOf(own, {}));
    }
    if (origin(last.getDefiningOp()) && origin(second))
      last.getDefiningOp()->setAttr(
          "origin", simplify::withResultOf(origin(last.getDefiningOp()), origin(second)));
    second->getResult(0).replaceAllUsesWith(last);
    second->erase();
    first->erase();
  }
};
} // namespace
