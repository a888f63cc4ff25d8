// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAD into convolutions and max pools (Passes.td says when and why).
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDPAD
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

/// [top, left, bottom, right] of a PAD of NHWC rows and columns only.
static std::optional<std::array<int64_t, 4>> spatialPadding(nn::PadOp pad) {
  ArrayRef<int64_t> before = pad.getBefore(), after = pad.getAfter();
  if (before.size() != 4 || before[0] || after[0] || before[3] || after[3])
    return std::nullopt;
  return std::array<int64_t, 4>{before[1], before[2], after[1], after[2]};
}

/// `padding` with `more` around it; empty if a side of it would reach the size
/// of the dilated filter.
static SmallVector<int64_t> combine(ArrayRef<int64_t> padding, const std::array<int64_t, 4> &more,
                                    ArrayRef<int64_t> filter, ArrayRef<int64_t> dilations) {
  SmallVector<int64_t> sum;
  for (unsigned side = 0; side < 4; ++side) {
    unsigned axis = side % 2; // 0: rows, 1: columns
    int64_t extent = (filter[axis] - 1) * dilations[axis] + 1;
    sum.push_back(padding[side] + more[side]);
    if (sum.back() >= extent)
      return {};
  }
  return sum;
}

/// Is the filling (zero) of `pad` at most as large as every number it pads?
static bool fillsWithMinimum(nn::PadOp pad) {
  Type elementType = pad.getType().getElementType();
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(elementType))
    return quantized.getZeroPoint() == quantized.getStorageTypeMin();
  Operation *producer = pad.getInput().getDefiningOp();
  if (!elementType.isF32() || !producer)
    return false;
  if (isa<nn::ReluOp, nn::Relu6Op>(producer))
    return true;
  auto activation = producer->getAttrOfType<nn::ActivationKindAttr>("activation");
  return activation && (activation.getValue() == nn::ActivationKind::relu ||
                        activation.getValue() == nn::ActivationKind::relu6);
}

/// The user's padding if it takes over that of `pad`; empty if it cannot.
static SmallVector<int64_t> paddingOfUser(Operation *user, nn::PadOp pad) {
  auto more = spatialPadding(pad);
  if (!more)
    return {};
  auto ofConvolution = [&](auto conv) {
    return combine(conv.getPadding(), *more, conv.getWeights().getType().getShape().slice(1, 2),
                   conv.getDilations());
  };
  if (auto conv = dyn_cast<nn::Conv2DOp>(user))
    return ofConvolution(conv);
  if (auto conv = dyn_cast<nn::DepthwiseConv2DOp>(user))
    return ofConvolution(conv);
  auto pool = dyn_cast<nn::MaxPool2DOp>(user);
  if (pool && fillsWithMinimum(pad))
    return combine(pool.getPadding(), *more, pool.getFilter(), {1, 1});
  return {};
}

bool simplify::canFoldPad(nn::PadOp pad) {
  if (pad->use_empty() ||
      pad.getInput().getType().getElementType() != pad.getType().getElementType())
    return false;
  return llvm::all_of(pad->getUses(), [&](OpOperand &use) {
    return use.getOperandNumber() == 0 && !paddingOfUser(use.getOwner(), pad).empty();
  });
}

namespace {
struct FoldPad : simplify::impl::FoldPadBase<FoldPad> {
  using FoldPadBase::FoldPadBase;

  void runOnOperation() override {
    SmallVector<nn::PadOp> pads(getOperation().getOps<nn::PadOp>());
    // Backwards, so that of two PADs in a row the second goes first.
    for (nn::PadOp pad : llvm::reverse(pads)) {
      if (!simplify::canFoldPad(pad))
        continue;
      for (OpOperand &use : llvm::make_early_inc_range(pad->getUses())) {
        Operation *user = use.getOwner();
        user->setAttr("padding", DenseI64ArrayAttr::get(&getContext(), paddingOfUser(user, pad)));
        use.set(pad.getInput());
      }
      pad.erase();
      ++numFolded;
    }
  }
};
} // namespace
