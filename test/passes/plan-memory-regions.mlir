// RUN: aotc-opt %s -split-input-file --aotc-plan-memory --aotc-verify-plan | FileCheck %s

// x (8) and a (6) are live together, a and y (4) too. "fast" holds 8 bytes: x,
// then y where x was; a must go to "slow".
// CHECK-LABEL: func.func @cheap_first
// CHECK-SAME: instr.arena_bytes = 14 : i64
// CHECK-SAME: #instr.region<name = "slow", cost = 3, align = 64, base = 1024, used = 6>
// CHECK-SAME: #instr.region<name = "fast", capacity = 8, cost = 1, section = ".fast", used = 8>
// CHECK: instr.alloc "x" align 1 {offset = 0 : i64, {{.*}}region = "fast"
// CHECK: instr.alloc "a" align 1 {offset = 0 : i64, region = "slow"
// CHECK: instr.alloc "y" align 1 {offset = 0 : i64, {{.*}}region = "fast"
func.func @cheap_first() attributes {instr.regions = [
    #instr.region<name = "slow", cost = 3, align = 64, base = 1024>,
    #instr.region<name = "fast", capacity = 8, cost = 1, section = ".fast">]} {
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

// An alloc that names its region stays in it, though the other is cheaper.
// CHECK-LABEL: func.func @given
// CHECK-SAME: #instr.region<name = "a", used = 4>
// CHECK-SAME: #instr.region<name = "b", cost = 9, used = 8>
// CHECK: instr.alloc "x" align 1 {offset = 0 : i64, {{.*}}region = "b"
// CHECK: instr.alloc "y" align 1 {offset = 0 : i64, {{.*}}region = "a"
func.func @given() attributes {instr.regions = [#instr.region<name = "a">, #instr.region<name = "b", cost = 9>]} {
  %x = instr.alloc "x" align 1 {position = 0 : i64, region = "b", role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer [] : (memref<8xi8>, memref<4xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<4xi8>
  return
}
