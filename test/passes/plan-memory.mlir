// RUN: aotc-opt %s -split-input-file --aotc-plan-memory --aotc-verify-plan | FileCheck %s

// A chain x(8) -> a(6) -> y(4): x and a are 14 bytes together, y lies where x
// was. No overlap is recorded, so nothing is smaller.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: instr.arena_bytes = 14 : i64
// CHECK-SAME: instr.arena_without_scratch = 14 : i64
// CHECK-SAME: instr.plan_bound = 14 : i64
// CHECK-SAME: instr.plan_optimal = true
func.func @chain() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 1 : memref<6xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<6xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.kernel "k" level "ref" ins(%a) outs(%y) shape [] layer [] : (memref<6xi8>, memref<4xi8>) -> ()
  instr.dealloc %a : memref<6xi8>
  instr.dealloc %y : memref<4xi8>
  return
}

// -----

// Two inputs, the first unused: the caller writes both before the start, so
// they may not share (8 + 8). Scratch of 5 at the only instruction: 8 (dead
// input) is free for it and for y. 16 in all.
// CHECK-LABEL: func.func @inputs
// CHECK-SAME: instr.arena_bytes = 16 : i64
// CHECK-SAME: instr.arena_without_scratch = 16 : i64
func.func @inputs() {
  %u = instr.alloc "u" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  instr.dealloc %u : memref<8xi8>
  %x = instr.alloc "x" align 1 {position = 1 : i64, role = #instr.role<input>} : memref<8xi8>
  %s = instr.alloc "s" align 1 {role = #instr.role<scratch>} : memref<5xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<3xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) scratch(%s) shape [] layer []
    : (memref<8xi8>, memref<3xi8>, memref<5xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %s : memref<5xi8>
  instr.dealloc %y : memref<3xi8>
  return
}

// -----

// Scratch counts in the arena (8 + 3 + 5) and not in the other figure (8 + 3).
// CHECK-LABEL: func.func @scratch
// CHECK-SAME: instr.arena_bytes = 16 : i64
// CHECK-SAME: instr.arena_without_scratch = 11 : i64
func.func @scratch() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %s = instr.alloc "s" align 1 {role = #instr.role<scratch>} : memref<5xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<3xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) scratch(%s) shape [] layer []
    : (memref<8xi8>, memref<3xi8>, memref<5xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %s : memref<5xi8>
  instr.dealloc %y : memref<3xi8>
  return
}

// -----

// Only descending: y (8) may start at 2 or more above x (4): x at 0, y at 2,
// 10 bytes instead of 12, and the kernel is turned round.
// CHECK-LABEL: func.func @descending
// CHECK-SAME: instr.arena_bytes = 10 : i64
// CHECK: instr.alloc "x" align 1 {offset = 0
// CHECK: instr.alloc "y" align 1 {offset = 2
// CHECK: instr.kernel "k"
// CHECK-SAME: descending,
func.func @descending() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, descending = 2>],
     instr.shares = [#instr.overlap<input = 0, output = 0, descending = 2>]}
    : (memref<4xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<4xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// The operand starts 4 into x, so y may start 4 - 1 = 3 above x's first byte at
// most: y(8) at 0..8 under x(8) at 0..8 is legal (distance 4 >= 1).
// CHECK-LABEL: func.func @view
// CHECK-SAME: instr.arena_bytes = 8 : i64
func.func @view() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %v = instr.view %x at 4 : memref<8xi8> -> memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%v) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 1>],
     instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 1>]}
    : (memref<4xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// x + x with distances 0 and 2: both must hold, so y starts 2 below x: 10.
// CHECK-LABEL: func.func @twice
// CHECK-SAME: instr.arena_bytes = 10 : i64
func.func @twice() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x, %x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>, #instr.overlap<input = 1, output = 0, ascending = 2>],
     instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0>, #instr.overlap<input = 1, output = 0, ascending = 2>]}
    : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// Alignment is of offsets, sizes are not rounded: 5 bytes, then 3 at 8.
// An offset that is already there stays.
// CHECK-LABEL: func.func @fixed
// CHECK-SAME: instr.arena_bytes = 11 : i64
// CHECK: instr.alloc "x" align 4 {offset = 0
// CHECK: instr.alloc "y" align 4 {offset = 8
func.func @fixed() {
  %x = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, role = #instr.role<input>} : memref<5xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<3xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer [] : (memref<5xi8>, memref<3xi8>) -> ()
  instr.dealloc %x : memref<5xi8>
  instr.dealloc %y : memref<3xi8>
  return
}

// -----

// One use of x starts 3 into it and asks for multiples of 2: y may start 1 or 3
// bytes into x, not 0 or 2, and then needs nothing beyond it.
// CHECK-LABEL: func.func @odd_multiple
// CHECK-SAME: instr.arena_bytes = 8 : i64
// CHECK-SAME: instr.plan_optimal = true
// CHECK: instr.alloc "x" align 1 {offset = 0
// CHECK: instr.alloc "y" align 1 {offset = {{1|3}} :
func.func @odd_multiple() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %v = instr.view %x at 3 : memref<8xi8> -> memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.kernel "k" level "ref" ins(%v, %v) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>, #instr.overlap<input = 1, output = 0, ascending = 0, multiple = 2>],
     instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0>, #instr.overlap<input = 1, output = 0, ascending = 0, multiple = 2>]}
    : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<4xi8>
  return
}

// -----

// Rules of one input and output are alternatives: 8 apart, or a multiple of 4
// from 4 on. x has 16 bytes, so does y: 20 in the second, 24 in the first.
// CHECK-LABEL: func.func @alternatives
// CHECK-SAME: instr.arena_bytes = 20 : i64
// CHECK-SAME: instr.plan_optimal = true
func.func @alternatives() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 8>, #instr.overlap<input = 0, output = 0, ascending = 4, multiple = 4>],
     instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 8>, #instr.overlap<input = 0, output = 0, ascending = 4, multiple = 4>]}
    : (memref<16xi8>, memref<16xi8>) -> ()
  instr.dealloc %x : memref<16xi8>
  instr.dealloc %y : memref<16xi8>
  return
}

// -----

// x + x: for either use one of its alternatives must hold. The first allows
// multiples of 4 or from 9 on, the second multiples of 6 or from 11 on; both:
// 12 (both multiples), 11 (from 11 on), and, the smaller, 0.
// The second function keeps 0 out: then 9 to 11 remain of the first, 6 and 11 of
// the second, both allow 11. 16 + 11.
// CHECK-LABEL: func.func @conjunction_of_alternatives
// CHECK-SAME: instr.arena_bytes = 16 : i64
// CHECK-LABEL: func.func @without_zero
// CHECK-SAME: instr.arena_bytes = 27 : i64
// CHECK-SAME: instr.plan_optimal = true
func.func @conjunction_of_alternatives() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "k" level "ref" ins(%x, %x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, multiple = 4>, #instr.overlap<input = 0, output = 0, ascending = 9>,
                 #instr.overlap<input = 1, output = 0, ascending = 0, multiple = 6>, #instr.overlap<input = 1, output = 0, ascending = 11>],
     instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 0, multiple = 4>, #instr.overlap<input = 0, output = 0, ascending = 9>,
                 #instr.overlap<input = 1, output = 0, ascending = 0, multiple = 6>, #instr.overlap<input = 1, output = 0, ascending = 11>]}
    : (memref<16xi8>, memref<16xi8>, memref<16xi8>) -> ()
  instr.dealloc %x : memref<16xi8>
  instr.dealloc %y : memref<16xi8>
  return
}
func.func @without_zero() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "k" level "ref" ins(%x, %x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 1, multiple = 4>, #instr.overlap<input = 0, output = 0, ascending = 9>,
                 #instr.overlap<input = 1, output = 0, ascending = 1, multiple = 6>, #instr.overlap<input = 1, output = 0, ascending = 11>],
     instr.shares = [#instr.overlap<input = 0, output = 0, ascending = 1, multiple = 4>, #instr.overlap<input = 0, output = 0, ascending = 9>,
                 #instr.overlap<input = 1, output = 0, ascending = 1, multiple = 6>, #instr.overlap<input = 1, output = 0, ascending = 11>]}
    : (memref<16xi8>, memref<16xi8>, memref<16xi8>) -> ()
  instr.dealloc %x : memref<16xi8>
  instr.dealloc %y : memref<16xi8>
  return
}
