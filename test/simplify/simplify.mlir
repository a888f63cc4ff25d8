// RUN: aotc-opt --aotc-phase-simplify %s | FileCheck %s

// Every pass enables the next: the QUANTIZE pair hides the PAD from the
// convolution, dead operations hide the convolution from RELU.

!q = !quant.uniform<i8:f32, 5.0e-01:-5>
!w = !quant.uniform<i8:f32, 2.5e-01>
!r = !quant.uniform<i8:f32, 1.0>

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x6x6x2x!q>) -> tensor<1x144x!r> {
  // CHECK-NEXT: %[[W:.*]] = nn.constant
  // CHECK-NEXT: %[[C:.*]] = nn.conv_2d %arg0, %[[W]] {activation = #nn.act<relu>, {{.*}}padding = array<i64: 1, 1, 1, 1>
  // CHECK-NEXT: %[[R:.*]] = nn.reshape %[[C]] : (tensor<1x6x6x4x!quant.uniform<i8:f32, 1.000000e+00>>) -> tensor<1x144x
  // CHECK-NEXT: return %[[R]]
  %w = nn.constant dense<1> : tensor<4x3x3x2xi8> -> tensor<4x3x3x2x!w>
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>}
      : (tensor<1x6x6x2x!q>) -> tensor<1x8x8x2x!q>
  %1 = nn.dequantize %0 : (tensor<1x8x8x2x!q>) -> tensor<1x8x8x2xf32>
  %2 = nn.quantize %1 : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2x!q>
  %3 = nn.conv_2d %2, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x8x8x2x!q>, tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r>
  %dead = nn.logistic %3 : (tensor<1x6x6x4x!r>) -> tensor<1x6x6x4x!r>
  %4 = nn.relu %3 : (tensor<1x6x6x4x!r>) -> tensor<1x6x6x4x!r>
  %5 = nn.reshape %4 : (tensor<1x6x6x4x!r>) -> tensor<36x4x!r>
  %6 = nn.reshape %5 : (tensor<36x4x!r>) -> tensor<1x144x!r>
  return %6 : tensor<1x144x!r>
}
