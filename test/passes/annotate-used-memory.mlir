// RUN: aotc-opt %s -split-input-file --aotc-annotate-used-memory | FileCheck %s

// Scratch stands apart; a view is no buffer; an in-place pair is one buffer
// (8, not 16); a pair that can only overlap in part counts in full (8 + 8).
// CHECK-LABEL: func.func @kinds
func.func @kinds() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %s = instr.alloc "s" align 4 {role = #instr.role<scratch>} : memref<5xi8>
  %v = instr.view %x at 0 : memref<8xi8> -> memref<2x4xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  // CHECK: instr.kernel "in place"
  // CHECK-SAME: scratch_memory = 5 : i64, used_memory = 8 : i64
  instr.kernel "in place" level "ref" ins(%v) outs(%a) scratch(%s) shape [] layer []
    {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0>]}
    : (memref<2x4xi8>, memref<8xi8>, memref<5xi8>) -> ()
  instr.dealloc %s : memref<5xi8>
  instr.dealloc %x : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // CHECK: instr.kernel "in part"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 16 : i64
  instr.kernel "in part" level "ref" ins(%a) outs(%y) shape [] layer []
    {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 1>]}
    : (memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// Of two inputs that could be in place only one is.
// CHECK-LABEL: func.func @add
func.func @add() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %z = instr.alloc "z" align 4 {position = 1 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // CHECK: instr.kernel "add"
  // CHECK-SAME: used_memory = 16 : i64
  instr.kernel "add" level "ref" ins(%x, %z) outs(%y) shape [] layer []
    {instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0>,
                     #instr.overlap<input = 1, output = 0, ascending = 0>]}
    : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %z : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}
