// RUN: aotc-opt --aotc-remove-dead-ops %s | FileCheck %s

// A chain nobody reads goes; the unused input stays.
// CHECK-LABEL: func.func @chain(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
func.func @chain(%x: tensor<4xf32>, %unused: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = nn.relu6 %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}
