// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_FullyConnectedOp : NN_Op<"fully_connected"> {
  let summary = "FULLY_CONNECTED: rows times transposed weights [out, in]";
  let description = [{
    The input's elements are grouped into rows of `in`; the output has as many
    rows (its shape is 2-D, or the input's with the last dimension replaced).
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$weights, NN_OptionalTensor:$bias,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input `,` $weights (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
}
