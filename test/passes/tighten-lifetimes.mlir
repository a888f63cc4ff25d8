// RUN: aotc-opt %s -split-input-file --aotc-tighten-lifetimes | FileCheck %s

// Uses through a view of a view count; views sink with their alloc; a missing
// dealloc is added.
// CHECK-LABEL: func.func @views
func.func @views() {
  // CHECK-NEXT: %[[X:.*]] = instr.alloc "x"
  // CHECK-NEXT: %[[A:.*]] = instr.alloc "a"
  // CHECK-NEXT: instr.copy %[[X]] to %[[A]]
  // CHECK-NEXT: instr.dealloc %[[X]]
  // CHECK-NEXT: %[[B:.*]] = instr.alloc "b"
  // CHECK-NEXT: %[[V:.*]] = instr.view %[[A]] at 4
  // CHECK-NEXT: %[[W:.*]] = instr.view %[[V]] at 2
  // CHECK-NEXT: instr.copy %[[W]] to %[[B]]
  // CHECK-NEXT: instr.dealloc %[[A]]
  // CHECK-NEXT: %[[Y:.*]] = instr.alloc "y"
  // CHECK-NEXT: instr.copy %[[B]] to %[[Y]]
  // CHECK-NEXT: instr.dealloc %[[B]]
  // CHECK-NEXT: instr.dealloc %[[Y]]
  // CHECK-NEXT: return
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<2xi8>
  %a = instr.alloc "a" align 1 : memref<8xi8>
  %v = instr.view %a at 4 : memref<8xi8> -> memref<4xi8>
  %w = instr.view %v at 2 : memref<4xi8> -> memref<2xi8>
  %b = instr.alloc "b" align 1 : memref<2xi8>
  instr.copy %x to %a : memref<8xi8> to memref<8xi8>
  instr.copy %w to %b : memref<2xi8> to memref<2xi8>
  instr.copy %b to %y : memref<2xi8> to memref<2xi8>
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  return
}

// -----

// State stays throughout; what no instruction touches goes, but not the
// caller's buffers.
// CHECK-LABEL: func.func @state
func.func @state() {
  // CHECK-NEXT: %[[S:.*]] = instr.alloc "s"
  // CHECK-NEXT: %[[X:.*]] = instr.alloc "unused input"
  // CHECK-NEXT: instr.dealloc %[[X]]
  // CHECK-NEXT: %[[Y:.*]] = instr.alloc "y"
  // CHECK-NEXT: instr.copy %[[S]] to %[[Y]]
  // CHECK-NEXT: instr.dealloc %[[S]]
  // CHECK-NEXT: instr.dealloc %[[Y]]
  // CHECK-NEXT: return
  %s = instr.alloc "s" align 1 {role = #instr.role<state>} : memref<2xi8>
  %x = instr.alloc "unused input" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %u = instr.alloc "unused" align 1 : memref<8xi8>
  %v = instr.view %u at 4 : memref<8xi8> -> memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<2xi8>
  instr.copy %s to %y : memref<2xi8> to memref<2xi8>
  instr.dealloc %s : memref<2xi8>
  instr.dealloc %y : memref<2xi8>
  instr.dealloc %u : memref<8xi8>
  return
}
