// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_ReshapeOp : NN_Op<"reshape"> {
  let summary = "RESHAPE, SQUEEZE, EXPAND_DIMS: the same elements under another shape";
  let description = [{
    - reshape_c1: operand and result have the same storage type (a file may
      give them different scales: the numbers are copied).
    - reshape_c2: and the same number of elements.
  }];
  let arguments = (ins NN_Tensor:$input, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let extraClassDeclaration = "bool isReshape() { return true; }";
}
def NN_PadOp : NN_Op<"pad"> {
  let summary = "PAD: zeros (the zero point) around a tensor";
  let description = [{
    `before` and `after` hold elements per axis.

    - pad_c1: both are f32 or both quantised per tensor with one storage type.
    - pad_c2: `before` and `after` have the input's rank.
    - pad_c3: neither holds a negative number.
    - pad_c4: the output's shape is the sum.
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$before, DenseI64ArrayAttr:$after,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}
def NN_TransposeOp : NN_Op<"transpose"> {
  let summary = "TRANSPOSE: dimension i of the result is dimension perm[i] of the operand";
  let description = [{
    - transpose_c1: operand and result have the same storage type and are not
      quantised per channel (a file may give them different scales: the numbers
      are copied).
    - transpose_c2: `perm` holds every dimension of the operand once.
    - transpose_c3: the output's shape is the operand's, permuted.

    ```mlir
    %1 = nn.transpose %0 {perm = array<i64: 0, 3, 1, 2>}
        : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$perm,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    /// The bytes keep their order: only dimensions of 1 change places.
    bool keepsOrder();
  }];
}
def NN_ConcatenationOp : NN_Op<"concatenation"> {
  let summary = "CONCATENATION along `axis` (non-negative)";
  let description = [{
    - concat_c1: there is an operand.
    - concat_c2: all are f32 or all quantised per tensor with one storage type.
    - concat_c3: `axis` is one of the first operand's.
    - concat_c4: the operands' shapes agree but along `axis`, where the output
      has their sum.
  }];
  let arguments = (ins Variadic<NN_Tensor>:$inputs, I64Attr:$axis,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$inputs attr-dict `:` functional-type(operands, results)";
}
