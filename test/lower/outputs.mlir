// RUN: aotc-opt --aotc-lower=target=cortex-m4 --aotc-verify-lowered %s | FileCheck %s

// Results that no kernel writes: an input and a constant are copied to outputs
// of their own, and an input nobody reads keeps its place in the signature.

!q = !quant.uniform<i8:f32, 5.0e-01:3>

// CHECK: func.func @main() {
func.func @main(%x: tensor<1x4x!q> {nn.name = "image", nn.tensor = 7 : i64},
                %unused: tensor<2xf32> {nn.name = "gain"})
    -> (tensor<2x2x!q> {nn.name = "same", nn.tensor = 9 : i64}, tensor<1x4x!q>, tensor<2xf32>) {
  // CHECK-DAG: %[[C:.*]] = instr.constant "bias" align 4 dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32> {weights}
  // CHECK-DAG: %[[X:.*]] = instr.alloc "image" align 4 {nn.type = tensor<1x4x!quant.uniform<i8:f32, 5.000000e-01:3>>, position = 0 : i64, role = #instr.role<input>, tensor = 7 : i64} : memref<1x4xi8>
  // CHECK-DAG: %[[U:.*]] = instr.alloc "gain" align 4 {nn.type = tensor<2xf32>, position = 1 : i64, role = #instr.role<input>} : memref<2xf32>
  // CHECK: %[[V:.*]] = instr.view %[[X]] at 0 {name = "reshape"} : memref<1x4xi8> -> memref<2x2xi8>
  // CHECK: %[[Y0:.*]] = instr.alloc "same" align 4 {nn.type = tensor<2x2x!{{.*}}>, position = 0 : i64, role = #instr.role<output>, tensor = 9 : i64}
  // CHECK-NEXT: instr.copy %[[V]] to %[[Y0]]
  // CHECK-NEXT: %[[Y1:.*]] = instr.alloc "output1" align 4 {{.*}}position = 1
  // CHECK-NEXT: instr.copy %[[X]] to %[[Y1]]
  // CHECK-NEXT: %[[Y2:.*]] = instr.alloc "output2" align 4 {{.*}}position = 2
  // CHECK-NEXT: instr.copy %[[C]] to %[[Y2]]
  // CHECK-NEXT: instr.dealloc %[[X]]
  // CHECK-NEXT: instr.dealloc %[[U]]
  // CHECK-NEXT: instr.dealloc %[[Y0]]
  // CHECK-NEXT: instr.dealloc %[[Y1]]
  // CHECK-NEXT: instr.dealloc %[[Y2]]
  // CHECK-NEXT: return
  %0 = nn.reshape %x : (tensor<1x4x!q>) -> tensor<2x2x!q>
  %1 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32> {origin = #nn.origin<index = -1, code = "", tensors = [5], names = ["bias"]>} -> tensor<2xf32>
  return %0, %x, %1 : tensor<2x2x!q>, tensor<1x4x!q>, tensor<2xf32>
}
