// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

// Constraints of all:
// unary_c1: both are f32 or both quantised per tensor with one storage type.
// unary_c2: input and output have the same shape.
class NN_UnaryOp<string mnemonic> : NN_Op<mnemonic> {
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def NN_ReluOp : NN_UnaryOp<"relu"> {
  let summary = "RELU: max(x, 0), rescaled to the output";
}
def NN_Relu6Op : NN_UnaryOp<"relu6"> {
  let summary = "RELU6: min(max(x, 0), 6), rescaled to the output";
}
def NN_LogisticOp : NN_UnaryOp<"logistic"> {
  let summary = "LOGISTIC: 1 / (1 + exp(-x))";
}
