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
