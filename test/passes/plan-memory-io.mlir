// RUN: aotc-opt --split-input-file --aotc-place-io --aotc-tighten-lifetimes --aotc-share-buffers --aotc-plan-memory --aotc-verify-plan %s | FileCheck %s

// x (16) -> a (8) -> b (8) -> y (4). In the arena alone x + a = 24; the caller's x
// is not counted and nothing may share with it, so that a + b = 16 remain, and y
// takes over dead a.
// CHECK-LABEL: func.func @caller()
// CHECK-SAME: instr.arena_bytes = 16 : i64
// CHECK-SAME: instr.plan_bound = 16 : i64, instr.plan_optimal = true
// CHECK-SAME: #instr.region<name = "arena", used = 16>, #instr.region<name = "input 0", capacity = 16, align = 4, used = 16>
func.func @caller() {
  // CHECK: instr.alloc "x" {{.*}}offset = 0 : i64{{.*}}region = "input 0"
  %x = instr.alloc "x" align 4 {instr.io = "caller", position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  // CHECK: instr.alloc "a" {{.*}}region = "arena"
  %a = instr.alloc "a" align 4 : memref<8xi8>
  // CHECK: instr.alloc "b" {{.*}}region = "arena"
  %b = instr.alloc "b" align 4 : memref<8xi8>
  // CHECK: instr.alloc "y" {{.*}}region = "arena"
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<16xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%b) outs(%y) shape [] layer [] : (memref<8xi8>, memref<4xi8>) -> ()
  return
}

// -----

// The same, but x may be consumed: b lies where x was, a alone is in the arena,
// and y, which is the arena's, takes its place.
// CHECK-LABEL: func.func @consumable()
// CHECK-SAME: instr.arena_bytes = 8 : i64
// CHECK-SAME: instr.plan_bound = 8 : i64, instr.plan_optimal = true
func.func @consumable() {
  // CHECK: instr.alloc "x" {{.*}}offset = 0 : i64{{.*}}region = "input 0"
  %x = instr.alloc "x" align 4 {instr.io = "caller-consumable", position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  // CHECK: instr.alloc "a" {{.*}}region = "arena"
  %a = instr.alloc "a" align 4 : memref<8xi8>
  // CHECK: instr.alloc "b" {{.*}}region = "input 0"
  %b = instr.alloc "b" align 4 : memref<8xi8>
  // CHECK: instr.alloc "y" {{.*}}region = "arena"
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<16xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%b) outs(%y) shape [] layer [] : (memref<8xi8>, memref<4xi8>) -> ()
  return
}

// -----

// A rule lets a start where x does. The caller's x is not to be written: a lies
// elsewhere; nothing is left for the arena of the other two.
// CHECK-LABEL: func.func @read_only()
// CHECK-SAME: instr.arena_bytes = 8 : i64
func.func @read_only() {
  // CHECK: instr.alloc "x" {{.*}}region = "input 0"
  %x = instr.alloc "x" align 4 {instr.io = "caller", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // CHECK: instr.alloc "a" {{.*}}region = "arena"
  %a = instr.alloc "a" align 4 : memref<8xi8>
  // CHECK: instr.alloc "y" {{.*}}region = "output 0"
  %y = instr.alloc "y" align 4 {instr.io = "caller", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%a) outs(%y) shape [] layer [] {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// A preserved input lives to the end: x (8) beside a (8) and y (8), of which y
// would take over x otherwise.
// CHECK-LABEL: func.func @preserved()
// CHECK-SAME: instr.arena_bytes = 24 : i64
func.func @preserved() {
  %x = instr.alloc "x" align 4 {instr.io = "arena-preserved", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%a) outs(%y) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  return
}
