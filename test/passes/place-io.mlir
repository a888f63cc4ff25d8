// RUN: aotc-opt --split-input-file --aotc-place-io %s | FileCheck %s

// Regions of the caller's tensors follow the function's own: inputs, then
// outputs, by position. Their size and alignment are the tensor's.
// CHECK-LABEL: func.func @modes() attributes {instr.regions = [#instr.region<name = "sram", capacity = 64>, #instr.region<name = "input 1", capacity = 8, align = 4>, #instr.region<name = "output 0", capacity = 6, align = 2>]}
func.func @modes() attributes {instr.regions = [#instr.region<name = "sram", capacity = 64>]} {
  // CHECK: instr.alloc "y" align 2 {instr.io = "caller-consumable", offset = 0 : i64, position = 0 : i64, region = "output 0", role = #instr.role<output>}
  %y = instr.alloc "y" align 2 {instr.io = "caller-consumable", position = 0 : i64, role = #instr.role<output>} : memref<6xi8>
  // CHECK: instr.alloc "b" align 4 {instr.io = "caller", offset = 0 : i64, position = 1 : i64, region = "input 1", role = #instr.role<input>}
  %b = instr.alloc "b" align 4 {instr.io = "caller", position = 1 : i64, role = #instr.role<input>} : memref<8xi8>
  // CHECK: instr.alloc "a" align 4 {instr.io = "arena-preserved", position = 0 : i64, preserved, role = #instr.role<input>}
  %a = instr.alloc "a" align 4 {instr.io = "arena-preserved", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  return
}

// -----

// CHECK-LABEL: func.func @arena() {
func.func @arena() {
  // CHECK: instr.alloc "a" align 4 {instr.io = "arena", position = 0 : i64, role = #instr.role<input>}
  %a = instr.alloc "a" align 4 {instr.io = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  return
}
