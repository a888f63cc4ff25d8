// RUN: aotc-opt --aotc-merge-tables -split-input-file %s | FileCheck %s

!q = !quant.uniform<i8:f32, 1.0>
!r = !quant.uniform<i8:f32, 5.0e-01>
!u = !quant.uniform<u8:f32, 1.0:128>

// Doubled, not below 0, not above 6, which is 12; then, with reshapes between, less
// one half of the steps, and 128 added to what is a byte without sign.
// CHECK-LABEL: @chain
func.func @chain(%x: tensor<2x2x!q>) -> tensor<4x!u> {
  // CHECK: %[[T:.*]] = nn.table %arg0 {table = array<i8: -128, -127, -126, -125, -124, -123, -122, -122, {{.*}}, -128, -128>}
  // CHECK-SAME: -> tensor<2x2x!quant.uniform<u8:f32, 1.000000e+00:128>>
  // CHECK: %[[R:.*]] = nn.reshape %[[T]] : {{.*}} -> tensor<4x!quant.uniform<u8:f32, 1.000000e+00:128>>
  // CHECK: return %[[R]]
  %0 = nn.relu %x : (tensor<2x2x!q>) -> tensor<2x2x!r>
  %1 = nn.relu6 %0 : (tensor<2x2x!r>) -> tensor<2x2x!r>
  %2 = nn.reshape %1 : (tensor<2x2x!r>) -> tensor<4x!r>
  %3 = nn.quantize %2 : (tensor<4x!r>) -> tensor<4x!u>
  return %3 : tensor<4x!u>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>
!r = !quant.uniform<i8:f32, 5.0e-01>

// Another user of what is between, or other types: nothing.
// CHECK-LABEL: @not
func.func @not(%x: tensor<4x!q>, %y: tensor<4xf32>) -> (tensor<4x!r>, tensor<4x!q>, tensor<4xf32>) {
  // CHECK-NOT: nn.table
  %0 = nn.relu %x : (tensor<4x!q>) -> tensor<4x!r>
  %1 = nn.relu6 %0 : (tensor<4x!r>) -> tensor<4x!r>
  %2 = nn.quantize %0 : (tensor<4x!r>) -> tensor<4x!q>
  %3 = nn.relu %y : (tensor<4xf32>) -> tensor<4xf32>
  %4 = nn.relu6 %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %4 : tensor<4x!r>, tensor<4x!q>, tensor<4xf32>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>
#a = #nn.origin<index = 0, code = "RELU", tensors = [1], names = ["a"]>
#b = #nn.origin<index = 1, code = "RESHAPE", tensors = [2], names = ["b"]>
#c = #nn.origin<index = 2, code = "RELU6", tensors = [3], names = ["c"]>

// Only the last tensor is still the file's.
// CHECK-LABEL: @names
func.func @names(%x: tensor<4x!q>) -> tensor<2x2x!q> {
  // CHECK: nn.table {{.*}}index = 0, code = "RELU", tensors = [-1], names = ["a"]
  // CHECK: nn.reshape {{.*}}index = 1, code = "RESHAPE", tensors = [3], names = ["c"]
  %0 = nn.relu %x {origin = #a} : (tensor<4x!q>) -> tensor<4x!q>
  %1 = nn.reshape %0 {origin = #b} : (tensor<4x!q>) -> tensor<2x2x!q>
  %2 = nn.relu6 %1 {origin = #c} : (tensor<2x2x!q>) -> tensor<2x2x!q>
  return %2 : tensor<2x2x!q>
}
