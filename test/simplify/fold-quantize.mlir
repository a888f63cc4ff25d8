// RUN: aotc-opt --aotc-fold-quantize %s | FileCheck %s

!q = !quant.uniform<i8:f32, 5.0e-01:3>
!r = !quant.uniform<i8:f32, 3.906250e-03:-128>

// CHECK-LABEL: func.func @round_trip
func.func @round_trip(%x: tensor<4x!q>) -> tensor<4x!r> {
  // CHECK-NEXT: nn.logistic %arg0
  %0 = nn.dequantize %x : (tensor<4x!q>) -> tensor<4xf32>
  %1 = nn.quantize %0 : (tensor<4xf32>) -> tensor<4x!q>
  %2 = nn.logistic %1 : (tensor<4x!q>) -> tensor<4x!r>
  return %2 : tensor<4x!r>
}

// The floats have another user: they stay, the identity goes.
// CHECK-LABEL: func.func @floats_used
func.func @floats_used(%x: tensor<4x!q>) -> (tensor<4xf32>, tensor<4x!q>) {
  // CHECK-NEXT: %[[F:.*]] = nn.dequantize %arg0
  // CHECK-NEXT: return %[[F]], %arg0
  %0 = nn.dequantize %x : (tensor<4x!q>) -> tensor<4xf32>
  %1 = nn.quantize %0 : (tensor<4xf32>) -> tensor<4x!q>
  return %0, %1 : tensor<4xf32>, tensor<4x!q>
}

// CHECK-LABEL: func.func @same_type
func.func @same_type(%x: tensor<4x!q>) -> tensor<4x!q> {
  // CHECK-NEXT: return %arg0
  %0 = nn.quantize %x : (tensor<4x!q>) -> tensor<4x!q>
  return %0 : tensor<4x!q>
}

// Another scale or zero point changes the numbers.
// CHECK-LABEL: func.func @other_type
func.func @other_type(%x: tensor<4x!q>) -> tensor<4x!r> {
  // CHECK: nn.dequantize
  // CHECK: nn.quantize
  %0 = nn.dequantize %x : (tensor<4x!q>) -> tensor<4xf32>
  %1 = nn.quantize %0 : (tensor<4xf32>) -> tensor<4x!r>
  return %1 : tensor<4x!r>
}

// Only the zero point differs.
!s = !quant.uniform<i8:f32, 5.0e-01:4>
// CHECK-LABEL: func.func @other_zero_point
func.func @other_zero_point(%x: tensor<4x!q>) -> tensor<4x!s> {
  // CHECK: nn.quantize
  %0 = nn.quantize %x : (tensor<4x!q>) -> tensor<4x!s>
  return %0 : tensor<4x!s>
}

// 127 * 2^127 is no float: the round trip is not the identity.
!huge = !quant.uniform<i8:f32, 1.7014118346046923e+38>
// CHECK-LABEL: func.func @overflow
func.func @overflow(%x: tensor<4x!huge>) -> tensor<4x!huge> {
  // CHECK: nn.dequantize
  // CHECK: nn.quantize
  %0 = nn.dequantize %x : (tensor<4x!huge>) -> tensor<4xf32>
  %1 = nn.quantize %0 : (tensor<4xf32>) -> tensor<4x!huge>
  return %1 : tensor<4x!huge>
}

// A RESHAPE between the two is one of the quantised numbers.
// CHECK-LABEL: func.func @reshape
func.func @reshape(%x: tensor<2x2x!q>) -> tensor<4x!q> {
  // CHECK-NEXT: %[[R:.*]] = nn.reshape %arg0 {{.*}} -> tensor<4x!quant
  // CHECK-NEXT: return %[[R]]
  %0 = nn.dequantize %x : (tensor<2x2x!q>) -> tensor<2x2xf32>
  %1 = nn.reshape %0 : (tensor<2x2xf32>) -> tensor<4xf32>
  %2 = nn.quantize %1 : (tensor<4xf32>) -> tensor<4x!q>
  return %2 : tensor<4x!q>
}
