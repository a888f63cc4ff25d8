// RUN: aotc-opt --aotc-merge-constants %s | FileCheck %s

// CHECK-LABEL: func.func @equal
func.func @equal() -> tensor<4xf32> {
  // CHECK: %[[C:.*]] = nn.constant
  // CHECK-NOT: nn.constant
  // CHECK: nn.add %[[C]], %[[C]]
  %0 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
  %1 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
  %2 = nn.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// Equal bytes of other quantisation are another constant.
!q = !quant.uniform<i8:f32, 5.0e-01>
!r = !quant.uniform<i8:f32, 2.5e-01>
// CHECK-LABEL: func.func @other_scale
func.func @other_scale() -> tensor<4x!q> {
  // CHECK: nn.constant
  // CHECK: nn.constant
  %0 = nn.constant dense<1> : tensor<4xi8> -> tensor<4x!q>
  %1 = nn.constant dense<1> : tensor<4xi8> -> tensor<4x!r>
  %2 = nn.add %0, %1 : (tensor<4x!q>, tensor<4x!r>) -> tensor<4x!q>
  return %2 : tensor<4x!q>
}
