// RUN: aotc-opt --aotc-expose-tensors %s | FileCheck %s

// The result keeps its place; the inner tensor follows with its name.
// CHECK-LABEL: func.func @main
// CHECK-SAME: -> (tensor<4xf32> {nn.name = "out", nn.tensor = 2 : i64}, tensor<4xf32> {nn.name = "inner", nn.tensor = 1 : i64})
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {nn.name = "out", nn.tensor = 2 : i64}) {
  // CHECK: %[[INNER:.*]] = nn.relu %
  %0 = nn.relu %x {origin = #nn.origin<index = 0, code = "RELU", tensors = [1], names = ["inner"]>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: %[[OUT:.*]] = nn.relu6
  %1 = nn.relu6 %0 {origin = #nn.origin<index = 1, code = "RELU6", tensors = [2], names = ["out"]>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: return %[[OUT]], %[[INNER]]
  return %1 : tensor<4xf32>
}
