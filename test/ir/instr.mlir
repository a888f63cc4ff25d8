// RUN: aotc-opt %s | aotc-opt | FileCheck %s

// Everything survives printing and parsing.

// CHECK-LABEL: func.func @layer
func.func @layer() {
  // CHECK: %[[IN:.*]] = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>, tensor = 7 : i64} : memref<1x64xi8>
  %in = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>, tensor = 7 : i64} : memref<1x64xi8>
  // CHECK: %[[W:.*]] = instr.constant "w" align 16 dense<1> : tensor<8xi8> {weights} : memref<8xi8>
  %w = instr.constant "w" align 16 dense<1> : tensor<8xi8> {weights} : memref<8xi8>
  // CHECK: %[[S:.*]] = instr.alloc "s" align 4 {role = #instr.role<scratch>} : memref<16xi8>
  %s = instr.alloc "s" align 4 {role = #instr.role<scratch>} : memref<16xi8>
  // CHECK: %[[OUT:.*]] = instr.alloc "y" align 4 {offset = 64 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<64xi8>
  %out = instr.alloc "y" align 4 {offset = 64 : i64, position = 0 : i64, region = "arena", role = #instr.role<output>} : memref<64xi8>
  // CHECK: %[[V:.*]] = instr.view %[[IN]] at 0 : memref<1x64xi8> -> memref<64xi8>
  %v = instr.view %in at 0 : memref<1x64xi8> -> memref<64xi8>
  // CHECK: instr.kernel "aotc_relu_s8__ref" level "ref" ins(%[[V]]) outs(%[[OUT]]) scratch(%[[S]]) data(%[[W]]) shape [64] layer [0, -128, 127]
  // CHECK-SAME: overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 4, multiple = 4>]
  // CHECK-SAME: rows = #instr.rows<batches = 1, inRows = 4, inRowBytes = 16, outRows = 4, outRowBytes = 16, windowRows = 1, stride = 1, padTop = 0, blockRows = 2>
  instr.kernel "aotc_relu_s8__ref" level "ref" ins(%v) outs(%out) scratch(%s) data(%w)
    shape [64] layer [0, -128, 127]
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 4, multiple = 4>],
     rows = #instr.rows<batches = 1, inRows = 4, inRowBytes = 16, outRows = 4, outRowBytes = 16, windowRows = 1, stride = 1, padTop = 0, blockRows = 2>}
    : (memref<64xi8>, memref<64xi8>, memref<16xi8>, memref<8xi8>) -> ()
  // CHECK: instr.copy %[[V]] to %[[OUT]] {descending} : memref<64xi8> to memref<64xi8>
  instr.copy %v to %out {descending} : memref<64xi8> to memref<64xi8>
  // CHECK: instr.dealloc %[[S]] : memref<16xi8>
  instr.dealloc %s : memref<16xi8>
  instr.dealloc %in : memref<1x64xi8>
  instr.dealloc %out : memref<64xi8>
  return
}
