// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_MeanOp : NN_Op<"mean"> {
  let summary = "MEAN over `axes` (non-negative, ascending, unique)";
  let description = [{
    - mean_c1: both are f32 or both quantised per tensor with one storage type.
    - mean_c2: `axes` are ascending and unique axes of the input.
    - mean_c3: the output lacks them, or with `keep_dims` has 1 there.
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keep_dims,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
