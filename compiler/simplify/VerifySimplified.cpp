// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guarantee of the phase: with the predicates of the passes (Folds.h) it
// checks that all folds ran. It cannot tell whether they are right, for it asks
// the same predicates; test/simplify/EquivalenceTest.cpp does, with the kernels.
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_VERIFYSIMPLIFIED
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

namespace {
struct VerifySimplified : simplify::impl::VerifySimplifiedBase<VerifySimplified> {
  using VerifySimplifiedBase::VerifySimplifiedBase;

  void runOnOperation() override {
    DenseSet<std::pair<Attribute, Type>> constants;
    for (Block &block : getOperation().getBody())
      for (Operation &op : block) {
        StringRef reason = whyRemovable(&op);
        if (auto constant = dyn_cast<nn::ConstantOp>(op))
          if (!constants.insert({constant.getValue(), constant.getType()}).second)
            reason = "it equals another constant";
        if (reason.empty())
          continue;
        op.emitError("is still there after simplification: ") << reason;
        signalPassFailure();
      }
    if (Operation *op = simplify::removableChannels(getOperation(), simplify::kChannelMultiple)) {
      op->emitError("is still there after simplification: it has channels that are constant or "
                    "that nobody reads");
      signalPassFailure();
    }
    markAllAnalysesPreserved();
  }

  /// Empty if no pass could remove the operation.
  static StringRef whyRemovable(Operation *op) {
    if (isOpTriviallyDead(op))
      return "it has no user";
    if (auto quantize = dyn_cast<nn::QuantizeOp>(op))
      if (simplify::quantizeIdentity(quantize))
        return "it copies its input";
    if (auto transpose = dyn_cast<nn::TransposeOp>(op))
      if (simplify::transposeBefore(transpose) || simplify::canTransposeBefore(transpose))
        return "it could be part of the TRANSPOSE before it, or move less";
    if (simplify::canTransposeAfter(op))
      return "the TRANSPOSE before it would move less behind it";
    if (simplify::reshapeSource(op))
      return "it changes nothing, or reshapes a reshape";
    if (auto pad = dyn_cast<nn::PadOp>(op))
      if (simplify::canFoldPad(pad))
        return "the convolutions behind it can pad";
    if (simplify::activationProducer(op))
      return "the operator before it can clamp";
    if (simplify::tableBefore(op))
      return "it and the operator before it are one function of bytes";
    if (simplify::evaluate(op))
      return "it depends on constants only";
    return "";
  }
};
} // namespace
