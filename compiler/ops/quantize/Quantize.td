// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_QuantizeOp : NN_Op<"quantize"> {
  let summary = "QUANTIZE: float to quantised, or one quantisation to another";
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def NN_DequantizeOp : NN_Op<"dequantize"> {
  let summary = "DEQUANTIZE: quantised to float";
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
