// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAD into convolutions (Passes.td says when and why).
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

/// The convolution's padding with `more` around it; empty if a side of it would
/// reach the size of the dilated filter.
template <typename ConvOp>
static SmallVector<int64_t> combinedPadding(ConvOp conv,
                                            const std::array<int64_t, 4> &more) {
  ArrayRef<int64_t> filter = conv.getWeights().getType().getShape();
  SmallVector<int64_t> sum;
  for (unsigned side = 0; side < 4; ++side) {
    unsigned axis = side % 2; // 0: rows, 1: columns
    int64_t extent = (filter[1 + axis] - 1) * conv.getDilations()[axis] + 1;
    sum.push_back(conv.getPadding()[side] + more[side]);
    if (sum.back() >= extent)
      return {};
  }
  return sum;
}

static SmallVector<int64_t> paddingOfUser(Operation *user,
                                          const std::array<int64_t, 4> &more) {
  if (auto conv = dyn_cast<nn::Conv2DOp>(user))
    return combinedPadding(conv, more);
  if (auto conv = dyn_cast<nn::DepthwiseConv2DOp>(user))
    return combinedPadding(conv, more);
  return {};
}

bool simplify::canFoldPad(nn::PadOp pad) {
  auto padding = spatialPadding(pad);
  if (!padding || pad->use_empty() ||
      pad.getInput().getType().getElementType() != pad.getType().getElementType())
    return false;
  return llvm::all_of(pad->getUses(), [&](OpOperand &use) {
    return use.getOperandNumber() == 0 &&
           !paddingOfUser(use.getOwner(), *padding).empty();
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
      std::array<int64_t, 4> padding = *spatialPadding(pad);
      for (OpOperand &use : llvm::make_early_inc_range(pad->getUses())) {
        Operation *user = use.getOwner();
        auto sum = DenseI64ArrayAttr::get(&getContext(),
                                          paddingOfUser(user, padding));
        if (auto conv = dyn_cast<nn::Conv2DOp>(user))
          conv.setPaddingAttr(sum);
        else
          cast<nn::DepthwiseConv2DOp>(user).setPaddingAttr(sum);
        use.set(pad.getInput());
      }
      pad.erase();
      ++numFolded;
    }
  }
};
} // namespace
