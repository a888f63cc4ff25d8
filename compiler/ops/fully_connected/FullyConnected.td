// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_FullyConnectedOp : NN_Op<"fully_connected"> {
  let summary = "FULLY_CONNECTED: rows times transposed weights [out, in]";
  let description = [{
    The input's elements are grouped into rows of `in`; the output has as many
    rows of `out`, under any shape.

    - fc_c1: input, weights and output are all f32 or all quantised with one
      storage type; input and output per tensor.
    - fc_c2: the weights have 2 dimensions; if per channel, along 0.
    - fc_c3: the bias, if any, has `out` elements (as conv_c5).
    - fc_c4: the input is a whole number of rows.
    - fc_c5: the output has rows * `out` elements.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$weights, NN_OptionalTensor:$bias,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input `,` $weights (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "bool fusesActivation() { return true; }";
}
