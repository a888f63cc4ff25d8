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
static bool survivesFloat(double scale) {
  return scale > 0x1p-100 && scale < 0x1p100;
}

Value simplify::quantizeIdentity(nn::QuantizeOp op) {
  auto type = dyn_cast<quant::UniformQuantizedType>(op.getType().getElementType());
  if (!type)
    return {};
  if (op.getInput().getType() == op.getType())
    return op.getInput();
  auto dequantize = op.getInput().getDefiningOp<nn::DequantizeOp>();
  if (dequantize && dequantize.getInput().getType() == op.getType() &&
      dequantize.getType().getElementType().isF32() &&
      survivesFloat(type.getScale()))
    return dequantize.getInput();
  return {};
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
      Operation *producer = op.getInput().getDefiningOp();
      op.getResult().replaceAllUsesWith(source);
      op.erase();
      // The DEQUANTIZE, unless the source itself is left.
      if (producer && source.getDefiningOp() != producer &&
          isOpTriviallyDead(producer))
        producer->erase();
      ++numFolded;
    }
  }
};
} // namespace
