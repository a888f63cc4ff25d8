// RUN: aotc-opt --aotc-fold-constants --aotc-remove-dead-ops %s | FileCheck %s

!q = !quant.uniform<i8:f32, 5.0e-01:3>
!u = !quant.uniform<u8:f32, 2.5e-01:128>
!c = !quant.uniform<i8:f32:0, {5.0e-01, 2.0}>

// 0.5 * (1 - 3) = -1, 0.5 * (-5 - 3) = -4
// CHECK-LABEL: func.func @dequantize
func.func @dequantize() -> tensor<2xf32> {
  // CHECK-NEXT: nn.constant dense<[-1.000000e+00, -4.000000e+00]> : tensor<2xf32>
  %0 = nn.constant dense<[1, -5]> : tensor<2xi8> -> tensor<2x!q>
  %1 = nn.dequantize %0 : (tensor<2x!q>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// 0.25 * (200 - 128) = 18, 0.25 * (0 - 128) = -32: uint8 is not sign-extended.
// CHECK-LABEL: func.func @dequantize_unsigned
func.func @dequantize_unsigned() -> tensor<2xf32> {
  // CHECK-NEXT: nn.constant dense<[1.800000e+01, -3.200000e+01]> : tensor<2xf32>
  %0 = nn.constant dense<[-56, 0]> : tensor<2xi8> -> tensor<2x!u>
  %1 = nn.dequantize %0 : (tensor<2x!u>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Row 0 times 0.5, row 1 times 2.
// CHECK-LABEL: func.func @dequantize_channels
func.func @dequantize_channels() -> tensor<2x2xf32> {
  // CHECK-NEXT: nn.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [1.200000e+01, -2.000000e+00]]>
  %0 = nn.constant dense<[[2, 4], [6, -1]]> : tensor<2x2xi8> -> tensor<2x2x!c>
  %1 = nn.dequantize %0 : (tensor<2x2x!c>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// round(1.25 / 0.5) = round(2.5) = 3 away from zero, + 3 = 6; round(-2.5) = -3,
// + 3 = 0; 1000 / 0.5 + 3 saturates at 127; 1e30 too.
// CHECK-LABEL: func.func @quantize
func.func @quantize() -> tensor<4x!q> {
  // CHECK-NEXT: nn.constant dense<[6, 0, 127, 127]> : tensor<4xi8>
  %0 = nn.constant dense<[1.25, -1.25, 1000.0, 1.0e30]> : tensor<4xf32> -> tensor<4xf32>
  %1 = nn.quantize %0 : (tensor<4xf32>) -> tensor<4x!q>
  return %1 : tensor<4x!q>
}

// A NaN has no quantised value that TFLite defines.
// CHECK-LABEL: func.func @quantize_nan
func.func @quantize_nan() -> tensor<2x!q> {
  // CHECK: nn.quantize
  %0 = nn.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32> -> tensor<2xf32>
  %1 = nn.quantize %0 : (tensor<2xf32>) -> tensor<2x!q>
  return %1 : tensor<2x!q>
}

// The border is the zero point, 3.
// CHECK-LABEL: func.func @pad
func.func @pad() -> tensor<2x3x!q> {
  // CHECK-NEXT: nn.constant dense<{{\[\[}}3, 3, 3], [3, 7, 9]]> : tensor<2x3xi8>
  %0 = nn.constant dense<[[7, 9]]> : tensor<1x2xi8> -> tensor<1x2x!q>
  %1 = nn.pad %0 {before = array<i64: 1, 1>, after = array<i64: 0, 0>}
      : (tensor<1x2x!q>) -> tensor<2x3x!q>
  return %1 : tensor<2x3x!q>
}

// CHECK-LABEL: func.func @concatenation
func.func @concatenation() -> tensor<2x3x!q> {
  // CHECK-NEXT: nn.constant dense<{{\[\[}}1, 2, 5], [3, 4, 6]]> : tensor<2x3xi8>
  %0 = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8> -> tensor<2x2x!q>
  %1 = nn.constant dense<[[5], [6]]> : tensor<2x1xi8> -> tensor<2x1x!q>
  %2 = nn.concatenation %0, %1 {axis = 1 : i64} : (tensor<2x2x!q>, tensor<2x1x!q>) -> tensor<2x3x!q>
  return %2 : tensor<2x3x!q>
}

// Broadcast rows: [1, 2] + [[10], [-20]] = [[11, 12], [-19, -18]], then RELU.
// CHECK-LABEL: func.func @add
func.func @add() -> tensor<2x2xf32> {
  // CHECK-NEXT: nn.constant dense<{{\[\[}}1.100000e+01, 1.200000e+01], [0.000000e+00, 0.000000e+00]]>
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %1 = nn.constant dense<[[10.0], [-20.0]]> : tensor<2x1xf32> -> tensor<2x1xf32>
  %2 = nn.add %0, %1 {activation = #nn.act<relu>} : (tensor<2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  return %2 : tensor<2x2xf32>
}

// A splat is one element in the IR and four in the result.
// CHECK-LABEL: func.func @chain
func.func @chain() -> tensor<2x2xf32> {
  // CHECK-NEXT: nn.constant dense<6.000000e+00> : tensor<2x2xf32>
  // CHECK-NEXT: return
  %0 = nn.constant dense<3.0> : tensor<4xf32> -> tensor<4xf32>
  %1 = nn.constant dense<2.0> : tensor<1xf32> -> tensor<1xf32>
  %2 = nn.mul %0, %1 : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %3 = nn.reshape %2 : (tensor<4xf32>) -> tensor<2x2xf32>
  return %3 : tensor<2x2xf32>
}

// 4 bytes would become 4,000,000 bytes of flash.
// CHECK-LABEL: func.func @too_large
func.func @too_large() -> tensor<1000000xf32> {
  // CHECK: nn.pad
  %0 = nn.constant dense<[1.0]> : tensor<1xf32> -> tensor<1xf32>
  %1 = nn.pad %0 {before = array<i64: 999999>, after = array<i64: 0>}
      : (tensor<1xf32>) -> tensor<1000000xf32>
  return %1 : tensor<1000000xf32>
}

// One operand is only known at run time.
// CHECK-LABEL: func.func @run_time
func.func @run_time(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: nn.add
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> -> tensor<2xf32>
  %1 = nn.add %0, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
