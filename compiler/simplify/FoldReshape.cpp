// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of operators that change no byte become one RESHAPE or none.
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDRESHAPE
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

Value simplify::passedOn(Operation *op) {
  auto isZero = [](int64_t amount) { return amount == 0; };
  if (auto reshape = dyn_cast<nn::ReshapeOp>(op))
    return reshape.getInput();
  if (auto transpose = dyn_cast<nn::TransposeOp>(op))
    return transpose.keepsOrder() ? transpose.getInput() : Value();
  if (auto pad = dyn_cast<nn::PadOp>(op))
    if (llvm::all_of(pad.getBefore(), isZero) && llvm::all_of(pad.getAfter(), isZero))
      return pad.getInput();
  if (auto concatenation = dyn_cast<nn::ConcatenationOp>(op))
    if (concatenation.getInputs().size() == 1 &&
        concatenation.getActivation() == nn::ActivationKind::none &&
        concatenation.getInputs()[0].getType() == concatenation.getType())
      return concatenation.getInputs()[0];
  return {};
}

Value simplify::reshapeSource(Operation *op) {
  Value operand = passedOn(op), source = operand;
  if (!operand)
    return {};
  while (Operation *producer = source.getDefiningOp()) {
    Value next = passedOn(producer);
    if (!next)
      break;
    source = next;
  }
  if (source != operand || source.getType() == op->getResult(0).getType() ||
      !isa<nn::ReshapeOp>(op))
    return source;
  return {};
}

namespace {
struct FoldReshape : simplify::impl::FoldReshapeBase<FoldReshape> {
  using FoldReshapeBase::FoldReshapeBase;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    for (Operation &op : getOperation().getBody().front())
      if (simplify::passedOn(&op))
        ops.push_back(&op);
    for (Operation *&op : ops) {
      Value source = simplify::reshapeSource(op);
      if (!source)
        continue;
      ++numFolded;
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      if (source.getType() == type) {
        op->getResult(0).replaceAllUsesWith(source);
        continue;
      }
      OpBuilder builder(op);
      auto reshape = nn::ReshapeOp::create(builder, op->getLoc(), type, source,
                                           cast<nn::NNOpInterface>(op).getOriginAttr());
      op->getResult(0).replaceAllUsesWith(reshape.getResult());
      op->erase();
      op = reshape; // it may turn out to be the middle of a chain
    }
    // Backwards, so that a whole chain goes.
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
  }
};
} // namespace
