// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chains of reshapes become one or none.
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDRESHAPE
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

Value simplify::reshapeSource(nn::ReshapeOp op) {
  Value source = op.getInput();
  while (auto reshape = source.getDefiningOp<nn::ReshapeOp>())
    source = reshape.getInput();
  if (source != op.getInput() || source.getType() == op.getType())
    return source;
  return {};
}

namespace {
struct FoldReshape : simplify::impl::FoldReshapeBase<FoldReshape> {
  using FoldReshapeBase::FoldReshapeBase;

  void runOnOperation() override {
    SmallVector<nn::ReshapeOp> ops(getOperation().getOps<nn::ReshapeOp>());
    for (nn::ReshapeOp op : ops) {
      Value source = simplify::reshapeSource(op);
      if (!source)
        continue;
      ++numFolded;
      if (source.getType() == op.getType())
        op.getResult().replaceAllUsesWith(source);
      else
        op.getInputMutable().assign(source);
    }
    // Backwards, so that a whole chain goes.
    for (nn::ReshapeOp op : llvm::reverse(ops))
      if (op->use_empty())
        op.erase();
  }
};
} // namespace
