// RUN: aotc-opt %s | aotc-opt | FileCheck %s

// Quantised types, origins and names survive printing and parsing.

// CHECK-LABEL: func.func @net(
// CHECK-SAME: tensor<1x8x8x4x!quant.uniform<i8:f32, 5.000000e-01:-3>> {nn.name = "image", nn.tensor = 0 : i64}
func.func @net(%x: tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5:-3>> {nn.name = "image", nn.tensor = 0 : i64})
    -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25>> {
  // CHECK: nn.constant dense<1> : tensor<2x3x3x4xi8> -> tensor<2x3x3x4x!quant.uniform<i8:f32:0, {1.000000e-01,2.000000e-01}>>
  %w = nn.constant dense<1> : tensor<2x3x3x4xi8> -> tensor<2x3x3x4x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  %b = nn.constant dense<7> : tensor<2xi32> -> tensor<2xi32>
  // CHECK: nn.conv_2d %{{.*}}, %{{.*}}, %{{.*}} {activation = #nn.act<relu6>, dilations = array<i64: 1, 1>
  // CHECK-SAME: origin = #nn.origin<index = 3, code = "CONV_2D", tensors = [17], names = ["conv/Relu6"]>
  %y = nn.conv_2d %x, %w, %b {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 1, 1>, activation = #nn.act<relu6>,
      origin = #nn.origin<index = 3, code = "CONV_2D", tensors = [17], names = ["conv/Relu6"]>}
      : (tensor<1x8x8x4x!quant.uniform<i8:f32, 0.5:-3>>, tensor<2x3x3x4x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, tensor<2xi32>)
      -> tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25>>
  return %y : tensor<1x4x4x2x!quant.uniform<i8:f32, 0.25>>
}
