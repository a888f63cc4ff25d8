// RUN: aotc-opt %s -split-input-file --aotc-share-buffers | FileCheck %s
// RUN: aotc-opt %s -split-input-file --aotc-share-buffers=mode=none | FileCheck %s --check-prefix=NONE
// RUN: aotc-opt %s -split-input-file --aotc-share-buffers=mode=in-place | FileCheck %s --check-prefix=INPLACE
// RUN: aotc-opt %s -split-input-file --aotc-share-buffers=direction=descending | FileCheck %s --check-prefix=DESC

// NONE-NOT: instr.shares

// The input dies at the second instruction, not at the first.
// CHECK-LABEL: func.func @dies
// INPLACE-LABEL: func.func @dies
// DESC-LABEL: func.func @dies
func.func @dies() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 1 : memref<8xi8>
  // CHECK: instr.copy
  // CHECK-NOT: instr.shares
  instr.copy %x to %a : memref<8xi8> to memref<8xi8>
  %b = instr.alloc "b" align 1 : memref<4xi8>
  // The rule of the kernel, as it stands; in place needs equal sizes; forced
  // descending drops the other distance and turns the kernel round.
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 6>]
  // INPLACE: instr.kernel "pool"
  // INPLACE-NOT: instr.shares
  // INPLACE: instr.kernel "add"
  // DESC: instr.kernel "pool"
  // DESC-SAME: descending
  // DESC-SAME: instr.shares = [#instr.overlap<input = 0, output = 0, descending = 6>]
  instr.kernel "pool" level "ref" ins(%x) outs(%b) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 6>]}
    : (memref<8xi8>, memref<4xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // Both inputs die; each may be taken over. The second is smaller.
  // CHECK: instr.kernel "add"
  // CHECK-SAME: instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>, #instr.overlap<input = 1, output = 0, ascending = 0>]
  // INPLACE-SAME: instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]
  instr.kernel "add" level "ref" ins(%a, %b) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>,
                 #instr.overlap<input = 1, output = 0, ascending = 0>]}
    : (memref<8xi8>, memref<4xi8>, memref<8xi8>) -> ()
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %b : memref<4xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// x + x: a rule for one use is not enough, a rule for both is.
// CHECK-LABEL: func.func @twice
func.func @twice() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 1 : memref<8xi8>
  // CHECK: instr.kernel "one rule"
  // CHECK-NOT: instr.shares
  instr.kernel "one rule" level "ref" ins(%x, %x) outs(%a) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>]}
    : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // CHECK: instr.kernel "two rules"
  // CHECK-SAME: instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0>, #instr.overlap<input = 1, output = 0, ascending = 2>]
  instr.kernel "two rules" level "ref" ins(%a, %a) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>,
                 #instr.overlap<input = 1, output = 0, ascending = 2>]}
    : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// Later use through another view; output written in two parts: only the first
// part is born there, and the second finds live bytes.
// CHECK-LABEL: func.func @views
func.func @views() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %x0 = instr.view %x at 0 : memref<8xi8> -> memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  %y0 = instr.view %y at 0 : memref<8xi8> -> memref<4xi8>
  // CHECK: instr.copy
  // CHECK-NOT: instr.shares
  // CHECK: instr.copy
  // CHECK-NOT: instr.shares
  // CHECK: return
  instr.copy %x0 to %y0 : memref<4xi8> to memref<4xi8>
  %x1 = instr.view %x at 4 : memref<8xi8> -> memref<4xi8>
  %y1 = instr.view %y at 4 : memref<8xi8> -> memref<4xi8>
  instr.copy %x1 to %y1 : memref<4xi8> to memref<4xi8>
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// Outputs and state outlive every instruction; constants have no buffer.
// CHECK-LABEL: func.func @never
func.func @never() {
  %s = instr.alloc "s" align 1 {role = #instr.role<state>} : memref<8xi8>
  %c = instr.constant "c" align 1 dense<0> : tensor<8xi8> : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // CHECK-NOT: instr.shares
  instr.copy %s to %y : memref<8xi8> to memref<8xi8>
  %z = instr.alloc "z" align 1 {position = 1 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %y to %z : memref<8xi8> to memref<8xi8>
  %w = instr.alloc "w" align 1 {position = 2 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %c to %w : memref<8xi8> to memref<8xi8>
  instr.dealloc %s : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  instr.dealloc %z : memref<8xi8>
  instr.dealloc %w : memref<8xi8>
  return
}

// -----

// What a backward pass reads (or the caller wants back) is not taken over,
// though its last use dies with the only rule; nor does it count as dying later.
// CHECK-LABEL: func.func @preserved
func.func @preserved() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, preserved, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 1 {preserved} : memref<8xi8>
  // CHECK-NOT: instr.shares
  instr.copy %x to %a : memref<8xi8> to memref<8xi8>
  %b = instr.alloc "b" align 1 : memref<8xi8>
  instr.copy %a to %b : memref<8xi8> to memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // CHECK: instr.copy %{{.*}} to %{{.*}} {instr.shares
  instr.copy %b to %y : memref<8xi8> to memref<8xi8>
  instr.dealloc %b : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  return
}
