// RUN: aotc-opt %s -verify-diagnostics --aotc-advise

// expected-error@+1 {{aotc-advise needs offsets; run aotc-plan-memory first}}
func.func @no_plan() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %x to %y : memref<8xi8> to memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}
