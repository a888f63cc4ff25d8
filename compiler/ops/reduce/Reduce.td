// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_MeanOp : NN_Op<"mean"> {
  let summary = "MEAN over `axes` (non-negative, ascending, unique)";
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$axes, BoolAttr:$keep_dims,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
