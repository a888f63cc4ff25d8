// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

// Constraints of both:
// binary_c1: all are f32 or all quantised per tensor with one storage type.
// binary_c2: the output has the operands' broadcast shape.
class NN_BinaryOp<string mnemonic> : NN_Op<mnemonic> {
  let arguments = (ins NN_Tensor:$lhs, NN_Tensor:$rhs,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "bool fusesActivation() { return true; }";
}
def NN_AddOp : NN_BinaryOp<"add"> {
  let summary = "ADD with NumPy broadcasting";
  let description = [{Quantised: both operands rescaled to twice the larger scale, summed, rescaled.}];
}
def NN_MulOp : NN_BinaryOp<"mul"> {
  let summary = "MUL with NumPy broadcasting";
  let description = [{Quantised: product of the offset operands, rescaled once.}];
}
