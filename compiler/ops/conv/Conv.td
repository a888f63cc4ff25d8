// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
include "compiler/ir/NNDialect.td"

def NN_Conv2DOp : NN_Op<"conv_2d"> {
  let summary = "CONV_2D: 2-D convolution, NHWC, weights OHWI";
  let description = [{
    `strides` and `dilations` are [h, w], `padding` is [top, left, bottom,
    right] in elements. The input channels divided by the weights' I are the
    groups.

    - conv_c1: input, weights and output are all f32 or all quantised with one
      storage type; input and output per tensor.
    - conv_c2: input and weights have 4 dimensions.
    - conv_c3: per-channel weights are quantised along the output channels (0).
    - conv_c4: the input channels are a multiple of the weights' I, the output
      channels of the groups.
    - conv_c5: the bias, if any, has one element per output channel: i32 or
      i64, or f32 in a float convolution.
    - conv_c6: windows, strides and dilations are at least 1, paddings at least
      0 and less than the dilated window; the output's shape follows from them.

    ```mlir
    %1 = nn.conv_2d %x, %w, %b {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>,
        padding = array<i64: 0, 0, 1, 1>, activation = #nn.act<relu>}
        : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>) -> tensor<1x4x4x16xf32>
    ```
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$weights, NN_OptionalTensor:$bias,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$padding,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input `,` $weights (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "bool fusesActivation() { return true; }";
}

def NN_DepthwiseConv2DOp : NN_Op<"depthwise_conv_2d"> {
  let summary = "DEPTHWISE_CONV_2D: one filter per channel, weights 1HWC";
  let description = [{
    Output channel = input channel * depth_multiplier + m. Attributes as
    `nn.conv_2d`, constraints conv_c1, c2, c5 and c6 too.

    - conv_c3: per-channel weights are quantised along dimension 3.
    - conv_c7: the weights are 1HWC, and C = input channels * depth_multiplier.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$weights, NN_OptionalTensor:$bias,
      DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$padding,
      I64Attr:$depth_multiplier,
      DefaultValuedAttr<NN_ActivationAttr, "::aotc::nn::ActivationKind::none">:$activation,
      OptionalAttr<NN_OriginAttr>:$origin);
  let results = (outs NN_Tensor:$output);
  let assemblyFormat = "$input `,` $weights (`,` $bias^)? attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = "bool fusesActivation() { return true; }";
}
