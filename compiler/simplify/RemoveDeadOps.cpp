// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backwards once: an operation is seen after all its users.
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_REMOVEDEADOPS
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

namespace {
struct RemoveDeadOps : simplify::impl::RemoveDeadOpsBase<RemoveDeadOps> {
  using RemoveDeadOpsBase::RemoveDeadOpsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op)) {
          op.erase();
          ++numRemoved;
        }
  }
};
} // namespace
