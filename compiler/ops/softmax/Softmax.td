// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_SoftmaxOp : NN_Op<"softmax"> {
  let summary = "SOFTMAX along the last axis";
  let description = [{
    - softmax_c1: both are f32 or both quantised per tensor with one storage type.
    - softmax_c2: `beta` is finite.
    - softmax_c3: the input has a dimension; the output has its shape.
  }];
  let arguments = (ins NN_Tensor:$input, F64Attr:$beta, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
