// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QUANTIZE that copies (Passes.td says when and why).
#include "compiler/simplify/Folds.h"
#include "compiler/simplify/Passes.h"

using namespace mlir;
using namespace aotc;

namespace aotc::simplify {
#define GEN_PASS_DEF_FOLDQUANTIZE
#include "compiler/simplify/Passes.h.inc"
} // namespace aotc::simplify

/// Is scale * n, in float and back, exact for all n of 17 bits? Far from the
/// ends of the exponent range (2^-126, 2^127) it is.
static bool survivesFloat(double scale) { return scale > 0x1p-100 && scale < 0x1p100; }

Value simplify::quantizeIdentity(nn::QuantizeOp op) {
  auto type = dyn_cast<quant::UniformQuantizedType>(op.getType().getElementType());
  if (!type)
    return {};
  if (op.getInput().getType() == op.getType())
    return op.getInput();
  Value reals = op.getInput();
  while (Operation *producer = reals.getDefiningOp()) {
    Value next = passedOn(producer);
    if (!next)
      break;
    reals = next;
  }
  auto dequantize = reals.getDefiningOp<nn::DequantizeOp>();
  if (dequantize && dequantize.getType().getElementType().isF32() &&
      dequantize.getInput().getType().getElementType() == type && survivesFloat(type.getScale()))
    return dequantize.getInput();
  return {};
}

/// Removes `op` and what computes for nobody else before it.
static void eraseChain(Operation *op) {
  while (op && isOpTriviallyDead(op)) {
    Operation *producer = op->getNumOperands() ? op->getOperand(0).getDefiningOp() : nullptr;
    op->erase();
    op = producer;
  }
}

namespace {
struct FoldQuantize : simplify::impl::FoldQuantizeBase<FoldQuantize> {
  using FoldQuantizeBase::FoldQuantizeBase;

  void runOnOperation() override {
    SmallVector<nn::QuantizeOp> ops(getOperation().getOps<nn::QuantizeOp>());
    for (nn::QuantizeOp op : ops) {
      Value source = simplify::quantizeIdentity(op);
      if (!source)
        continue;
      if (source.getType() != op.getType()) {
        OpBuilder builder(op);
        source =
            nn::ReshapeOp::create(builder, op.getLoc(), op.getType(), source, op.getOriginAttr());
      }
      op.getResult().replaceAllUsesWith(source);
      eraseChain(op);
      ++numFolded;
    }
  }
};
} // namespace
