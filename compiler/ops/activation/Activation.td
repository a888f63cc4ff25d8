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
def NN_TableOp : NN_UnaryOp<"table"> {
  let summary = "any function of 8 bits";
  let description = [{
    The result of the operand's byte x, read without sign, is `table[x]`. Of no
    file: `simplify` makes it of several functions.

    - table_c1: both are quantised per tensor, to 8 bits.
    - table_c2: input and output have the same shape.
    - table_c3: the table has 256 entries.
  }];
  let arguments = (ins NN_Tensor:$input, DenseI8ArrayAttr:$table, OptionalAttr<NN_OriginAttr>:$origin);
}
def NN_LogisticOp : NN_UnaryOp<"logistic"> {
  let summary = "LOGISTIC: 1 / (1 + exp(-x))";
}
