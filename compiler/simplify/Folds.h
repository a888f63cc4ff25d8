// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each rewriting is exact. The passes rewrite where these hold, the
// verifier demands that they hold nowhere when the phase ends.
#pragma once

#include "compiler/ir/NNDialect.h"

namespace aotc::simplify {

/// The value whose numbers `op` (QUANTIZE) copies, possibly through a DEQUANTIZE
/// and reshapes; or null.
mlir::Value quantizeIdentity(nn::QuantizeOp op);

/// The operand whose bytes are the result's (RESHAPE, a TRANSPOSE that only
/// moves dimensions of 1, a PAD of nothing, a CONCATENATION of one tensor), or
/// null.
mlir::Value passedOn(mlir::Operation *op);
/// The value of which the result of `op` is, or could be, a direct reshape;
/// null if there is nothing to gain.
mlir::Value reshapeSource(mlir::Operation *op);

/// The TRANSPOSE whose result `op` permutes once more, or null.
nn::TransposeOp transposeBefore(nn::TransposeOp op);
/// True if `op` can change places with the elementwise operation before it,
/// whose operand has smaller elements.
bool canTransposeBefore(nn::TransposeOp op);
/// True if `op`, whose result has fewer bytes, can change places with the
/// TRANSPOSE before it.
bool canTransposeAfter(mlir::Operation *op);

/// True if every user of `pad` can do the padding itself.
bool canFoldPad(nn::PadOp pad);

/// The operator that can apply `activation` (a RELU or RELU6) itself, or null.
mlir::Operation *activationProducer(mlir::Operation *activation);

/// The function of one byte with which `op`, another, makes one: it comes before
/// `op`, but for reshapes; or null.
mlir::Operation *tableBefore(mlir::Operation *op);

/// The first operator of `function` whose result has channels that could go, or
/// null; the channels that stay are rounded up to a `multiple`.
mlir::Operation *removableChannels(mlir::func::FuncOp function, int64_t multiple);

/// `own`, an operator's place in the file, with the tensors and names of
/// `result`, where the operator now makes those. Null `result`: it makes no
/// tensor of the file any more.
nn::OriginAttr withResultOf(nn::OriginAttr own, nn::OriginAttr result);

/// The result of `op`, in storage elements, if it depends on constants only, is
/// not much larger than they are, and the rules are known and yield ordinary
/// numbers; else null.
mlir::DenseElementsAttr evaluate(mlir::Operation *op);

} // namespace aotc::simplify
