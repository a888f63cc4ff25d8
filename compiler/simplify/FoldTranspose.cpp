// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TRANSPOSE to where it moves least, or away (Passes.td says when and why).
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDTRANSPOSE
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

nn::TransposeOp simplify::transposeBefore(nn::TransposeOp op) {
  return op.getInput().getDefiningOp<nn::TransposeOp>();
}

static bool isElementwise(Operation *op) { return isa<nn::QuantizeOp, nn::DequantizeOp>(op); }

/// The bytes of `to` are fewer than those of `from`, which has as many elements.
static bool isSmaller(Value to, Value from) {
  return dtypeSize(nn::toDType(typeOf(to).getElementType())) <
         dtypeSize(nn::toDType(typeOf(from).getElementType()));
}

bool simplify::canTransposeBefore(nn::TransposeOp op) {
  Operation *producer = op.getInput().getDefiningOp();
  // (A file may give the result of TRANSPOSE another scale.)
  return producer && isElementwise(producer) && producer->hasOneUse() &&
         typeOf(op.getInput()).getElementType() == op.getType().getElementType() &&
         isSmaller(producer->getOperand(0), op.getOutput()) &&
         !isa<quant::UniformQuantizedPerAxisType>(typeOf(producer->getOperand(0)).getElementType());
}

bool simplify::canTransposeAfter(Operation *op) {
  auto transpose =
      op->getNumOperands() == 1 ? op->getOperand(0).getDefiningOp<nn::TransposeOp>() : nullptr;
  if (!transpose || !transpose->hasOneUse() ||
      transpose.getType().getElementType() != transpose.getInput().getType().getElementType())
    return false;
  if (isElementwise(op))
    return isSmaller(op->getResult(0), transpose.getInput());
  // Sums of integers do not depend on the order of their terms.
  return isa<nn::MeanOp>(op) && !transpose.getType().getElementType().isF32();
}

static void setOrigin(Operation *op, nn::OriginAttr origin) {
  if (origin)
    op->setAttr("origin", origin);
}

namespace {

/// x -> first -> second.
struct Merge : OpRewritePattern<nn::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(nn::TransposeOp second, PatternRewriter &rewriter) const override {
    nn::TransposeOp first = simplify::transposeBefore(second);
    if (!first)
      return failure();
    SmallVector<int64_t> perm;
    for (int64_t dim : second.getPerm())
      perm.push_back(first.getPerm()[dim]);
    rewriter.replaceOpWithNewOp<nn::TransposeOp>(second, second.getType(), first.getInput(), perm,
                                                 second.getOriginAttr());
    return success();
  }
};

/// x -> elementwise -> transpose becomes x -> transpose -> elementwise.
struct Before : OpRewritePattern<nn::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(nn::TransposeOp op, PatternRewriter &rewriter) const override {
    if (!simplify::canTransposeBefore(op))
      return failure();
    auto producer = op.getInput().getDefiningOp<nn::NNOpInterface>();
    Value x = producer->getOperand(0);
    auto type = RankedTensorType::get(op.getType().getShape(), typeOf(x).getElementType());
    // The elementwise operation now makes the tensor that was the transpose's.
    auto moved = nn::TransposeOp::create(rewriter, op.getLoc(), type, x, op.getPermAttr(),
                                         simplify::withResultOf(op.getOriginAttr(), {}));
    Operation *again = rewriter.clone(*producer);
    rewriter.modifyOpInPlace(again, [&] {
      again->setOperand(0, moved);
      again->getResult(0).setType(op.getType());
      setOrigin(again, simplify::withResultOf(producer.getOriginAttr(), op.getOriginAttr()));
    });
    rewriter.replaceOp(op, again);
    return success();
  }
};

/// x -> transpose -> op becomes x -> op -> transpose.
struct After : OpInterfaceRewritePattern<nn::NNOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(nn::NNOpInterface op, PatternRewriter &rewriter) const override {
    if (!simplify::canTransposeAfter(op))
      return failure();
    auto transpose = op->getOperand(0).getDefiningOp<nn::TransposeOp>();
    ArrayRef<int64_t> perm = transpose.getPerm();
    RankedTensorType type = typeOf(op->getResult(0));
    SmallVector<int64_t> shape(transpose.getInput().getType().getShape());
    SmallVector<int64_t> after(perm);
    SmallVector<int64_t> axes;
    if (auto mean = dyn_cast<nn::MeanOp>(*op)) {
      for (int64_t axis : mean.getAxes())
        axes.push_back(perm[axis]);
      llvm::sort(axes);
      for (int64_t axis : axes)
        shape[axis] = 1;
      if (!mean.getKeepDims()) {
        // Dimensions move down by the number of axes below them.
        llvm::erase_if(after, [&](int64_t dim) { return llvm::is_contained(axes, dim); });
        for (int64_t &dim : after)
          dim -= llvm::count_if(axes, [&](int64_t axis) { return axis < dim; });
        for (int64_t axis : llvm::reverse(axes))
          shape.erase(shape.begin() + axis);
      }
    }
    Operation *moved = rewriter.clone(*op);
    rewriter.modifyOpInPlace(moved, [&] {
      moved->setOperand(0, transpose.getInput());
      moved->getResult(0).setType(RankedTensorType::get(shape, type.getElementType()));
      if (auto mean = dyn_cast<nn::MeanOp>(moved))
        mean.setAxes(axes);
      setOrigin(moved, simplify::withResultOf(op.getOriginAttr(), {}));
    });
    rewriter.replaceOpWithNewOp<nn::TransposeOp>(
        op, type, moved->getResult(0), after,
        simplify::withResultOf(transpose.getOriginAttr(), op.getOriginAttr()));
    return success();
  }
};

struct FoldTranspose : simplify::impl::FoldTransposeBase<FoldTranspose> {
  using FoldTransposeBase::FoldTransposeBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<Merge, Before, After>(&getContext());
    // Every step leaves fewer transpositions, or fewer bytes to transpose.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit)
        .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .enableFolding(false)
        .enableConstantCSE(false);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
