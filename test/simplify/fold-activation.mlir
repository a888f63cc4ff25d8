// RUN: aotc-opt --aotc-fold-activation %s | FileCheck %s

!q = !quant.uniform<i8:f32, 5.0e-01>
!r = !quant.uniform<i8:f32, 2.5e-01:-3>
!z = !quant.uniform<i8:f32, 2.5e-01:-128>
!s16 = !quant.uniform<i16:f32, 2.5e-01>

// Same scale and zero point: RELU is the clamp to [-3, 127] that ADD applies
// itself. The operator keeps its place in the file, the tensor is RELU's.
// CHECK-LABEL: func.func @int8
func.func @int8(%x: tensor<4x!q>, %y: tensor<4x!q>) -> tensor<4x!r> {
  // CHECK-NEXT: %[[A:.*]] = nn.add %arg0, %arg1
  // CHECK-SAME: activation = #nn.act<relu>
  // CHECK-SAME: origin = #nn.origin<index = 0, code = "ADD", tensors = [3], names = ["r"]>
  // CHECK-NEXT: return %[[A]]
  %0 = nn.add %x, %y {origin = #nn.origin<index = 0, code = "ADD", tensors = [2], names = ["a"]>}
      : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!r>
  %1 = nn.relu %0 {origin = #nn.origin<index = 1, code = "RELU", tensors = [3], names = ["r"]>}
      : (tensor<4x!r>) -> tensor<4x!r>
  return %1 : tensor<4x!r>
}

// RELU rescales here: clamp and rescaling do not commute bit for bit.
// CHECK-LABEL: func.func @other_zero_point
func.func @other_zero_point(%x: tensor<4x!q>, %y: tensor<4x!q>) -> tensor<4x!z> {
  // CHECK: nn.relu
  %0 = nn.add %x, %y : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!r>
  %1 = nn.relu %0 : (tensor<4x!r>) -> tensor<4x!z>
  return %1 : tensor<4x!z>
}

// CHECK-LABEL: func.func @float_relu6
func.func @float_relu6(%x: tensor<1x4xf32>, %w: tensor<2x4xf32>) -> tensor<1x2xf32> {
  // CHECK-NEXT: nn.fully_connected %arg0, %arg1 {activation = #nn.act<relu6>}
  // CHECK-NEXT: return
  %0 = nn.fully_connected %x, %w : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %1 = nn.relu6 %0 : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %1 : tensor<1x2xf32>
}

// The unclamped sum is read too.
// CHECK-LABEL: func.func @second_user
func.func @second_user(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // CHECK: nn.relu
  %0 = nn.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// One activation is taken already.
// CHECK-LABEL: func.func @second_activation
func.func @second_activation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: nn.add {{.*}}#nn.act<relu>
  // CHECK: nn.relu6
  %0 = nn.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = nn.relu6 %1 : (tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Not shown to be exact for int16, and the producer must be able to clamp.
// CHECK-LABEL: func.func @left_alone
func.func @left_alone(%x: tensor<4x!s16>, %y: tensor<4xf32>) -> (tensor<4x!s16>, tensor<4xf32>) {
  // CHECK: nn.relu
  // CHECK: nn.relu
  %0 = nn.add %x, %x : (tensor<4x!s16>, tensor<4x!s16>) -> tensor<4x!s16>
  %1 = nn.relu %0 : (tensor<4x!s16>) -> tensor<4x!s16>
  %2 = nn.logistic %y : (tensor<4xf32>) -> tensor<4xf32>
  %3 = nn.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %3 : tensor<4x!s16>, tensor<4xf32>
}
