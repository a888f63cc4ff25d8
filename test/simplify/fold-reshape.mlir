// RUN: aotc-opt --aotc-fold-reshape %s | FileCheck %s

// CHECK-LABEL: func.func @chain
func.func @chain(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  // CHECK-NEXT: %[[R:.*]] = nn.reshape %arg0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = nn.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// There and back: nothing is left.
// CHECK-LABEL: func.func @back
func.func @back(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  // CHECK-NEXT: return %arg0
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = nn.reshape %0 : (tensor<12xf32>) -> tensor<2x6xf32>
  return %1 : tensor<2x6xf32>
}

// The middle of a chain has a user of its own: both stay, side by side.
// CHECK-LABEL: func.func @fork
func.func @fork(%x: tensor<2x6xf32>) -> (tensor<12xf32>, tensor<3x4xf32>) {
  // CHECK: nn.reshape %arg0 : (tensor<2x6xf32>) -> tensor<12xf32>
  // CHECK: nn.reshape %arg0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = nn.reshape %0 : (tensor<12xf32>) -> tensor<3x4xf32>
  return %0, %1 : tensor<12xf32>, tensor<3x4xf32>
}

// A PAD of nothing between two reshapes, and a CONCATENATION of one tensor.
// CHECK-LABEL: func.func @nothing
func.func @nothing(%x: tensor<2x6xf32>) -> tensor<3x4xf32> {
  // CHECK-NEXT: %[[R:.*]] = nn.reshape %arg0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = nn.reshape %x : (tensor<2x6xf32>) -> tensor<12xf32>
  %1 = nn.pad %0 {before = array<i64: 0>, after = array<i64: 0>} : (tensor<12xf32>) -> tensor<12xf32>
  %2 = nn.reshape %1 : (tensor<12xf32>) -> tensor<3x4xf32>
  %3 = nn.concatenation %2 {axis = 0 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %3 : tensor<3x4xf32>
}

// PAD copies raw numbers: another scale makes it a reshape of the bytes.
!q = !quant.uniform<i8:f32, 5.0e-01>
!r = !quant.uniform<i8:f32, 2.5e-01>
// CHECK-LABEL: func.func @other_scale
func.func @other_scale(%x: tensor<4x!q>) -> tensor<4x!r> {
  // CHECK-NEXT: nn.reshape %arg0 : (tensor<4x!quant.uniform<i8:f32, 5.000000e-01>>) -> tensor<4x!quant.uniform<i8:f32, 2.500000e-01>>
  %0 = nn.pad %x {before = array<i64: 0>, after = array<i64: 0>} : (tensor<4x!q>) -> tensor<4x!r>
  return %0 : tensor<4x!r>
}
