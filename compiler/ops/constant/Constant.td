// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_ConstantOp : Op<NN_Dialect, "constant", [Pure, ConstantLike]> {
  let summary = "a tensor known at compile time";
  let description = [{
    `value` holds storage values; the result may be a quantised tensor of the
    same shape and storage type.

    ```mlir
    %0 = nn.constant dense<[1, -2]> : tensor<2xi8> -> tensor<2x!quant.uniform<i8:f32, 5.0e-01>>
    ```
  }];
  let arguments = (ins ElementsAttr:$value, OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$value attr-dict `->` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;
}
