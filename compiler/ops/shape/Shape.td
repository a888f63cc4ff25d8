// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_ReshapeOp : NN_Op<"reshape"> {
  let summary = "RESHAPE, SQUEEZE, EXPAND_DIMS: the same elements under another shape";
  let description = [{Operand and result have the same element type and number of elements.}];
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let extraClassDeclaration = "bool isReshape() { return true; }";
}
def NN_PadOp : NN_Op<"pad"> {
  let summary = "PAD: zeros (the zero point) around a tensor";
  let description = [{`before` and `after` hold elements per axis; neither is negative.}];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$before, DenseI64ArrayAttr:$after,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def NN_ConcatenationOp : NN_Op<"concatenation"> {
  let summary = "CONCATENATION along `axis` (non-negative)";
  let arguments = (ins Variadic<NN_Tensor>:$inputs, I64Attr:$axis,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$inputs attr-dict `:` functional-type(operands, results)";
}
