// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

// Constraints of both:
// pool_c1: input (4 dimensions) and output are both f32 or both quantised per
//   tensor with one storage type.
// pool_c2: filter and strides are at least 1, paddings at least 0 and less than
//   the filter; the output's shape follows, channels as the input.
class NN_Pool2DOp<string mnemonic> : NN_Op<mnemonic> {
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$filter,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "bool fusesActivation() { return true; }";
}
def NN_AveragePool2DOp : NN_Pool2DOp<"average_pool_2d"> {
  let summary = "AVERAGE_POOL_2D: padding does not count in the divisor";
  let description = [{`filter` and `strides` are [h, w], `padding` is [top, left, bottom, right].}];
}
def NN_MaxPool2DOp : NN_Pool2DOp<"max_pool_2d"> {
  let summary = "MAX_POOL_2D: padding never wins";
  let description = [{`filter` and `strides` are [h, w], `padding` is [top, left, bottom, right].}];
}
