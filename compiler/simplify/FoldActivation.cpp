// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RELU and RELU6 into their producer (Passes.td says when and why).
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDACTIVATION
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

static constexpr StringLiteral kActivation = "activation", kOrigin = "origin";

Operation *simplify::activationProducer(Operation *activation) {
  if (!isa<nn::ReluOp, nn::Relu6Op>(activation))
    return nullptr;
  Value input = activation->getOperand(0);
  auto producer = input.getDefiningOp<nn::NNOpInterface>();
  if (!producer || !producer.fusesActivation() || !input.hasOneUse() ||
      input.getType() != activation->getResult(0).getType())
    return nullptr;
  auto fused = producer->getAttrOfType<nn::ActivationKindAttr>(kActivation);
  if (fused && fused.getValue() != nn::ActivationKind::none)
    return nullptr;
  DType type = nn::toDType(cast<RankedTensorType>(input.getType()).getElementType());
  bool isExact = type == DType::f32 || type == DType::s8;
  return isExact ? producer.getOperation() : nullptr;
}

nn::OriginAttr simplify::withResultOf(nn::OriginAttr own, nn::OriginAttr result) {
  if (!own)
    return own;
  // A result that is no tensor of the file keeps a name, but has no number.
  SmallVector<int64_t> unnumbered(own.getNames().size(), -1);
  return nn::OriginAttr::get(own.getContext(), own.getIndex(), own.getCode(),
                             result ? result.getTensors() : unnumbered,
                             result ? result.getNames() : own.getNames());
}

namespace {
struct FoldActivation : simplify::impl::FoldActivationBase<FoldActivation> {
  using FoldActivationBase::FoldActivationBase;

  void runOnOperation() override {
    for (Operation &op : llvm::make_early_inc_range(getOperation().getBody().getOps())) {
      Operation *producer = simplify::activationProducer(&op);
      if (!producer)
        continue;
      auto kind = isa<nn::ReluOp>(op) ? nn::ActivationKind::relu : nn::ActivationKind::relu6;
      producer->setAttr(kActivation, nn::ActivationKindAttr::get(&getContext(), kind));
      auto own = cast<nn::NNOpInterface>(producer).getOriginAttr();
      nn::OriginAttr result = cast<nn::NNOpInterface>(op).getOriginAttr();
      if (own && result)
        producer->setAttr(kOrigin, simplify::withResultOf(own, result));
      op.getResult(0).replaceAllUsesWith(producer->getResult(0));
      op.erase();
      ++numFolded;
    }
  }
};
} // namespace
