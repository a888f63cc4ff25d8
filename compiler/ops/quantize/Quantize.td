// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_QuantizeOp : NN_Op<"quantize"> {
  let summary = "QUANTIZE: float to quantised, or one quantisation to another";
  let description = [{
    - quantize_c1: the input is f32 or quantised, the output quantised.
    - quantize_c2: both per tensor.
    - quantize_c3: of one shape.
  }];
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def NN_DequantizeOp : NN_Op<"dequantize"> {
  let summary = "DEQUANTIZE: quantised to float";
  let description = [{
    - dequantize_c1: the input is quantised (also per channel), the output f32.
    - dequantize_c2: of one shape.
  }];
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
