// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on constants, replaced by their results (Evaluate.cpp computes
// them), in the order of the graph, so that chains go in one walk.
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

namespace {
struct FoldConstants : simplify::impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    for (Operation &op : llvm::make_early_inc_range(getOperation().getBody().getOps())) {
      DenseElementsAttr value = simplify::evaluate(&op);
      if (!value)
        continue;
      OpBuilder builder(&op);
      auto constant = nn::ConstantOp::create(builder, op.getLoc(), op.getResult(0).getType(), value,
                                             cast<nn::NNOpInterface>(op).getOriginAttr());
      op.getResult(0).replaceAllUsesWith(constant.getResult());
      op.erase();
      ++numFolded;
    }
  }
};
} // namespace
