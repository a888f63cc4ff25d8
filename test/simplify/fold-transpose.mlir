// RUN: aotc-opt %s -aotc-fold-transpose | FileCheck %s
// What it writes can be read again.
// RUN: aotc-opt %s -aotc-fold-transpose | aotc-opt -o %t

!q = !quant.uniform<i8:f32, 5.0e-01:3>
!r = !quant.uniform<i8:f32, 1.0>

// Dimension 0 of the result is dimension perm2[0] = 2 of the middle, which is
// perm1[2] = 0 of the operand, and so on.
// CHECK-LABEL: func.func @merged(
func.func @merged(%x: tensor<2x3x4xi16>) -> tensor<2x4x3xi16> {
  // CHECK-NEXT: %[[T:.*]] = nn.transpose %{{.*}} {perm = array<i64: 0, 2, 1>}
  %0 = nn.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xi16>) -> tensor<3x4x2xi16>
  %1 = nn.transpose %0 {perm = array<i64: 2, 1, 0>} : (tensor<3x4x2xi16>) -> tensor<2x4x3xi16>
  // CHECK-NEXT: return %[[T]]
  return %1 : tensor<2x4x3xi16>
}

// The tensors keep their names: what is made at a place is called so.
// CHECK-LABEL: func.func @dequantize(
func.func @dequantize(%x: tensor<2x3x!q>) -> tensor<3x2xf32> {
  // CHECK-NEXT: nn.transpose %{{.*}} {origin = #nn.origin<index = 5, code = "TRANSPOSE", tensors = [-1], names = ["t"]>
  // CHECK-NEXT: nn.dequantize %{{.*}} {origin = #nn.origin<index = 4, code = "DEQUANTIZE", tensors = [9], names = ["t"]>}
  %0 = nn.dequantize %x {origin = #nn.origin<index = 4, code = "DEQUANTIZE", tensors = [8], names = ["d"]>}
      : (tensor<2x3x!q>) -> tensor<2x3xf32>
  %1 = nn.transpose %0 {perm = array<i64: 1, 0>, origin = #nn.origin<index = 5, code = "TRANSPOSE", tensors = [9], names = ["t"]>}
      : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

// Axes 0 and 2 of the middle are 1 and 0 of the operand; dimension 2 is left.
// CHECK-LABEL: func.func @mean(
func.func @mean(%x: tensor<2x3x4x!q>) -> tensor<4x!r> {
  // CHECK-NEXT: %[[M:.*]] = nn.mean %{{.*}} {axes = array<i64: 0, 1>, keep_dims = false}
  // CHECK-NEXT: nn.transpose %[[M]] {perm = array<i64: 0>}
  %0 = nn.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4x!q>) -> tensor<3x4x2x!q>
  %1 = nn.mean %0 {axes = array<i64: 0, 2>, keep_dims = false} : (tensor<3x4x2x!q>) -> tensor<4x!r>
  return %1 : tensor<4x!r>
}

// A sum of floats depends on the order; what others use stays; a quantisation
// that grows stays behind.
// CHECK-LABEL: func.func @kept(
func.func @kept(%x: tensor<2x3xf32>, %y: tensor<2x3x!q>) -> (tensor<3xf32>, tensor<3x2xf32>, tensor<3x2x!q>, tensor<3x2xf32>) {
  // CHECK-NEXT: nn.transpose
  // CHECK-NEXT: nn.mean
  // CHECK-NEXT: nn.transpose
  // CHECK-NEXT: nn.quantize
  // CHECK-NEXT: nn.transpose
  // CHECK-NEXT: nn.dequantize
  // CHECK-NEXT: return
  %0 = nn.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = nn.mean %0 {axes = array<i64: 1>, keep_dims = false} : (tensor<3x2xf32>) -> tensor<3xf32>
  %2 = nn.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = nn.quantize %2 : (tensor<3x2xf32>) -> tensor<3x2x!q>
  %4 = nn.transpose %y {perm = array<i64: 1, 0>} : (tensor<2x3x!q>) -> tensor<3x2x!q>
  %5 = nn.dequantize %4 : (tensor<3x2x!q>) -> tensor<3x2xf32>
  return %1, %2, %3, %5 : tensor<3xf32>, tensor<3x2xf32>, tensor<3x2x!q>, tensor<3x2xf32>
}
