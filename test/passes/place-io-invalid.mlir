// RUN: aotc-opt --split-input-file --verify-diagnostics --aotc-place-io %s

func.func @mode() {
  // expected-error@+1 {{instr.io is "callers", no mode of an input or output}}
  %a = instr.alloc "a" align 4 {instr.io = "callers", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  return
}

// -----

func.func @internal() {
  // expected-error@+1 {{buffer 'a' has instr.io but is neither input nor output}}
  %a = instr.alloc "a" align 4 {instr.io = "caller"} : memref<8xi8>
  return
}

// -----

func.func @placed() {
  // expected-error@+1 {{buffer 'a' is the caller's but has a place already}}
  %a = instr.alloc "a" align 4 {instr.io = "caller", offset = 4 : i64, position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  return
}
