// RUN: aotc-opt --aotc-lower=target=cortex-m4+nofp --aotc-verify-lowered -split-input-file %s | FileCheck %s
// RUN: aotc-opt "--aotc-lower=target=cortex-m4 kernel-level=ref block-rows=2" -split-input-file %s | FileCheck --check-prefix=ROWS %s

// The last layer writes output "y" through a view, since RESHAPE is no copy;
// the same value as second output needs one. Both layers have one set of
// weights: 2 * 2 * 1 multiply-accumulates each.

// CHECK: func.func @main() {
func.func @main(%x: tensor<1x2xf32> {nn.name = "x", nn.tensor = 0 : i64})
    -> (tensor<2xf32> {nn.name = "y", nn.tensor = 5 : i64}, tensor<1x2xf32>) {
  // CHECK-NEXT: %[[W:.*]] = instr.constant "hidden.weights" align 4 dense<{{.*}}> : tensor<16xi8> {weights} : memref<16xi8>
  // CHECK-NEXT: %[[X:.*]] = instr.alloc "x" align 4 {nn.type = tensor<1x2xf32>, position = 0 : i64, role = #instr.role<input>, tensor = 0 : i64} : memref<1x2xf32>
  // CHECK-NEXT: %[[H:.*]] = instr.alloc "hidden" align 4 {tensor = 3 : i64} : memref<1x2xf32>
  // CHECK-NEXT: instr.kernel "aotc_fully_connected_f32__ref" level "ref" ins(%[[X]]) outs(%[[H]]) data(%[[W]])
  // CHECK-SAME: macs = 4 : i64, origin = #nn.origin<index = 0, code = "FULLY_CONNECTED", tensors = [3], names = ["hidden"]>, overlaps = [#instr.overlap<input = 0, output = 0, ascending = 4, descending = 4>], remark = "aotc_fully_connected_f32__ref
  // CHECK-NEXT: %[[Y:.*]] = instr.alloc "y" align 4 {nn.type = tensor<2xf32>, position = 0 : i64, role = #instr.role<output>, tensor = 5 : i64} : memref<2xf32>
  // CHECK-NEXT: %[[V:.*]] = instr.view %[[Y]] at 0 {name = "logits", tensor = 4 : i64} : memref<2xf32> -> memref<1x2xf32>
  // CHECK-NEXT: instr.kernel "aotc_fully_connected_f32__ref" level "ref" ins(%[[H]]) outs(%[[V]]) data(%[[W]])
  // CHECK-NEXT: %[[Z:.*]] = instr.alloc "output1" align 4
  // CHECK-NEXT: instr.copy %[[V]] to %[[Z]]
  // CHECK-NEXT: instr.dealloc %[[X]]
  // CHECK-NEXT: instr.dealloc %[[H]]
  // CHECK-NEXT: instr.dealloc %[[Y]]
  // CHECK-NEXT: instr.dealloc %[[Z]]
  // CHECK-NEXT: return
  %w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> -> tensor<2x2xf32>
  %0 = nn.fully_connected %x, %w {origin = #nn.origin<index = 0, code = "FULLY_CONNECTED", tensors = [3], names = ["hidden"]>}
      : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %1 = nn.fully_connected %0, %w {origin = #nn.origin<index = 1, code = "FULLY_CONNECTED", tensors = [4], names = ["logits"]>}
      : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %2 = nn.reshape %1 : (tensor<1x2xf32>) -> tensor<2xf32>
  return %2, %1 : tensor<2xf32>, tensor<1x2xf32>
}

// -----

// Rows of a 3x3 convolution over 4x4x1 floats, padded by one: 4 rows of 16
// bytes in and out, each output row sees 3. Weights that are constant behind a
// RESHAPE are constant: 9 equal floats, stored as 36 bytes.

// CHECK: func.func @main() {
// CHECK: instr.constant "conv_2d.weights" align 4 dense<{{.*}}> : tensor<36xi8>
// CHECK: rows = #instr.rows<batches = 1, inRows = 4, inRowBytes = 16, outRows = 4, outRowBytes = 16, windowRows = 3, stride = 1, padTop = 1, blockRows = 1>
// ROWS: padTop = 1, blockRows = 2>
func.func @main(%x: tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32> {
  %0 = nn.constant dense<1.0> : tensor<9xf32> -> tensor<9xf32>
  %w = nn.reshape %0 : (tensor<9xf32>) -> tensor<1x3x3x1xf32>
  %1 = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x4x4x1xf32>, tensor<1x3x3x1xf32>) -> tensor<1x4x4x1xf32>
  return %1 : tensor<1x4x4x1xf32>
}

// -----

// An operand that is read at run time may be a constant.

// CHECK: func.func @main() {
// CHECK: %[[C:.*]] = instr.constant "c" align 4 dense<{{.*}}> : tensor<1x2xf32> {weights} : memref<1x2xf32>
// CHECK: instr.kernel {{.*}} ins(%[[C]])
func.func @main() -> tensor<1x2xf32> {
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32> {origin = #nn.origin<index = -1, code = "", tensors = [1], names = ["c"]>} -> tensor<1x2xf32>
  %w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32> -> tensor<2x2xf32>
  %0 = nn.fully_connected %c, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

// A filter of 40 rows over 50: the row pointers, 4 bytes each, of 40 input rows
// and 1 output row are too many for the stack. Two output rows see 41.

// CHECK: func.func @main() {
// CHECK: %[[T:.*]] = instr.alloc "conv_2d.rows" align 4 {role = #instr.role<scratch>} : memref<164xi8>
// CHECK: instr.kernel {{.*}} scratch(%[[T]])
// ROWS: instr.alloc "conv_2d.rows" align 4 {role = #instr.role<scratch>} : memref<172xi8>
func.func @main(%x: tensor<1x50x1x1xf32>) -> tensor<1x11x1x1xf32> {
  %w = nn.constant dense<1.0> : tensor<1x40x1x1xf32> -> tensor<1x40x1x1xf32>
  %0 = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x50x1x1xf32>, tensor<1x40x1x1xf32>) -> tensor<1x11x1x1xf32>
  return %0 : tensor<1x11x1x1xf32>
}

// -----

// Weights, bias and multipliers are all the model's parameters.

!a = !quant.uniform<i8:f32, 0.5>
// CHECK: func.func @main() {
// CHECK-COUNT-3: instr.constant {{.*}} {weights} : memref<
// CHECK-NOT: instr.constant
func.func @main(%x: tensor<1x2x!a>) -> tensor<1x3x!a> {
  %w = nn.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8> -> tensor<3x2x!a>
  %b = nn.constant dense<[7, 8, 9]> : tensor<3xi32> -> tensor<3xi32>
  %0 = nn.fully_connected %x, %w, %b : (tensor<1x2x!a>, tensor<3x2x!a>, tensor<3xi32>) -> tensor<1x3x!a>
  return %0 : tensor<1x3x!a>
}

// -----

// Along the outermost axis that is not 1, a concatenation only moves bytes.

// CHECK: func.func @main() {
// CHECK: moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 16>, #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 16, bytes = 8>]
// CHECK-NOT: moves
func.func @main(%x: tensor<1x2x2xf32>, %y: tensor<1x1x2xf32>, %z: tensor<1x3x1xf32>) -> tensor<1x3x3xf32> {
  %0 = nn.concatenation %x, %y {axis = 1 : i64} : (tensor<1x2x2xf32>, tensor<1x1x2xf32>) -> tensor<1x3x2xf32>
  %1 = nn.concatenation %0, %z {axis = 2 : i64} : (tensor<1x3x2xf32>, tensor<1x3x1xf32>) -> tensor<1x3x3xf32>
  return %1 : tensor<1x3x3xf32>
}
