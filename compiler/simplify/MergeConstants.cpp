// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes are unique in their context, so equal constants are equal
// pointers.
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_MERGECONSTANTS
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

namespace {
struct MergeConstants : simplify::impl::MergeConstantsBase<MergeConstants> {
  using MergeConstantsBase::MergeConstantsBase;

  void runOnOperation() override {
    DenseMap<std::pair<Attribute, Type>, nn::ConstantOp> first;
    SmallVector<nn::ConstantOp> ops(getOperation().getOps<nn::ConstantOp>());
    for (nn::ConstantOp op : ops) {
      auto [known, isNew] = first.insert({{op.getValue(), op.getType()}, op});
      if (isNew)
        continue;
      op.getResult().replaceAllUsesWith(known->second.getResult());
      op.erase();
      ++numMerged;
    }
  }
};
} // namespace
