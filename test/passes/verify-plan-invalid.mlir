// RUN: aotc-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(func.func(aotc-verify-plan))'

// expected-error@+1 {{aotc-verify-plan needs a planned function; run aotc-plan-memory first}}
func.func @unplanned() {
  return
}

// -----

func.func @no_offset() attributes {instr.arena_bytes = 16 : i64} {
  // expected-error@+1 {{buffer 'x' has no offset or region}}
  %x = instr.alloc "x" align 1 {region = "arena"} : memref<8xi8>
  return
}

// -----

func.func @outside() attributes {instr.arena_bytes = 15 : i64} {
  // expected-error@+1 {{buffer 'x' at bytes 8 to 16 is outside the 15 bytes of region 'arena'}}
  %x = instr.alloc "x" align 1 {offset = 8 : i64, region = "arena"} : memref<8xi8>
  return
}

// -----

// No rule: dying input and output must be disjoint.
func.func @no_rule() attributes {instr.arena_bytes = 16 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{buffers 'x' at bytes 0 to 8 and 'y' at bytes 7 to 15 overlap while both are live: 'instr.kernel' runs first to last and no rule lets output 0 start -7 bytes below input 0}}
  %y = instr.alloc "y" align 1 {offset = 7 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// y starts 1 above x; the rule allows that only descending, and it runs
// ascending.
func.func @direction() attributes {instr.arena_bytes = 16 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{overlap while both are live}}
  %y = instr.alloc "y" align 1 {offset = 1 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 1>]} : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// The same, turned round: correct.
func.func @descending() attributes {instr.arena_bytes = 16 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {offset = 1 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) shape [] layer []
    {descending, overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 1>]} : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// The input is read again later, so the rule does not apply.
func.func @read_later() attributes {instr.arena_bytes = 16 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{buffers 'x' at bytes 0 to 8 and 'a' at bytes 0 to 8 overlap while both are live}}
  %a = instr.alloc "a" align 1 {offset = 0 : i64, region = "arena"} : memref<8xi8>
  %y = instr.alloc "y" align 1 {offset = 8 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %x to %a : memref<8xi8> to memref<8xi8>
  instr.copy %a to %y : memref<8xi8> to memref<8xi8>
  %v = instr.view %x at 0 : memref<8xi8> -> memref<2xi8>
  %z = instr.view %y at 0 : memref<8xi8> -> memref<2xi8>
  instr.copy %v to %z : memref<2xi8> to memref<2xi8>
  return
}

// -----

// x + x, a rule for the first use only.
func.func @twice() attributes {instr.arena_bytes = 8 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{overlap while both are live}}
  %y = instr.alloc "y" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x, %x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>]} : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// Scratch is not an input; two inputs are both written before the start.
func.func @scratch() attributes {instr.arena_bytes = 16 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{buffers 'x' at bytes 0 to 8 and 'u' at bytes 4 to 8 overlap while both are live}}
  %u = instr.alloc "u" align 1 {offset = 4 : i64, region = "arena", position = 1 : i64, role = #instr.role<input>} : memref<4xi8>
  %s = instr.alloc "s" align 1 {offset = 8 : i64, region = "arena", role = #instr.role<scratch>} : memref<8xi8>
  // expected-error@+1 {{buffers 's' at bytes 8 to 16 and 'y' at bytes 8 to 16 overlap while both are live}}
  %y = instr.alloc "y" align 1 {offset = 8 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%y) scratch(%s) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>]} : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// One output over two inputs.
func.func @two_inputs() attributes {instr.arena_bytes = 16 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %z = instr.alloc "z" align 1 {offset = 8 : i64, region = "arena", position = 1 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+2 {{buffers 'x' at bytes 0 to 8 and 'y' at bytes 0 to 16 overlap while both are live: the output also overlaps another input}}
  // expected-error@+1 {{buffers 'z' at bytes 8 to 16 and 'y' at bytes 0 to 16 overlap}}
  %y = instr.alloc "y" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "k" level "ref" ins(%x, %z) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>, #instr.overlap<input = 1, output = 0, ascending = 8>]}
    : (memref<8xi8>, memref<8xi8>, memref<16xi8>) -> ()
  return
}

// -----

// A region fuller than it is large.
// expected-error@+1 {{region 'a' has 7 bytes and the plan takes 8}}
func.func @over() attributes {instr.arena_bytes = 8 : i64, instr.regions = [#instr.region<name = "a", capacity = 7, used = 8>]} {
  %x = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "a", role = #instr.role<input>} : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  return
}

// -----

// The sum of the regions is told wrongly.
// expected-error@+1 {{instr.arena_bytes is 9, but the regions sum to 8}}
func.func @sum() attributes {instr.arena_bytes = 9 : i64, instr.regions = [#instr.region<name = "a", used = 8>]} {
  %x = instr.alloc "x" align 4 {offset = 0 : i64, position = 0 : i64, region = "a", role = #instr.role<input>} : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  return
}

// -----

// Inside the sum, but not inside its region.
func.func @beyond() attributes {instr.arena_bytes = 16 : i64, instr.regions = [#instr.region<name = "a", used = 8>, #instr.region<name = "b", used = 8>]} {
  // expected-error@+1 {{buffer 'x' at bytes 8 to 16 is outside the 8 bytes of region 'b'}}
  %x = instr.alloc "x" align 4 {offset = 8 : i64, position = 0 : i64, region = "b", role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{buffer 'y' is in region 'c', which does not exist}}
  %y = instr.alloc "y" align 4 {offset = 0 : i64, region = "c"} : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// y takes over x after its last use, but x is preserved.
func.func @preserved() attributes {instr.arena_bytes = 24 : i64} {
  %x = instr.alloc "x" align 1 {offset = 0 : i64, region = "arena", position = 0 : i64, preserved, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 1 {offset = 16 : i64, region = "arena"} : memref<8xi8>
  // expected-error@+1 {{buffers 'x' at bytes 0 to 8 and 'y' at bytes 4 to 12 overlap while both are live}}
  %y = instr.alloc "y" align 1 {offset = 4 : i64, region = "arena", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%a) outs(%y) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// a lies where the caller's x was, which only the model may read.
func.func @callers() attributes {instr.arena_bytes = 0 : i64, instr.regions = [#instr.region<name = "arena", used = 0>, #instr.region<name = "input 0", capacity = 8, used = 8>, #instr.region<name = "output 0", capacity = 8, used = 8>]} {
  %x = instr.alloc "x" align 1 {instr.io = "caller", offset = 0 : i64, region = "input 0", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {instr.io = "caller-consumable", offset = 0 : i64, region = "output 0", position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  %a = instr.alloc "a" align 1 {offset = 0 : i64, region = "output 0"} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  // expected-error@+1 {{buffer 'b' lies in the caller's memory of 'x'}}
  %b = instr.alloc "b" align 1 {offset = 0 : i64, region = "input 0"} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "k" level "ref" ins(%b) outs(%y) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// The caller's memory is as large as its tensor, which starts where it does;
// another input is no internal buffer.
func.func @fill() attributes {instr.arena_bytes = 0 : i64, instr.regions = [#instr.region<name = "arena", used = 0>, #instr.region<name = "input 0", used = 12>]} {
  // expected-error@+1 {{the caller's buffer 'x' does not fill region 'input 0'}}
  %x = instr.alloc "x" align 1 {instr.io = "caller-consumable", offset = 4 : i64, region = "input 0", position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{buffer 'z' lies in the caller's memory of 'x'}}
  %z = instr.alloc "z" align 1 {offset = 0 : i64, region = "input 0", position = 1 : i64, role = #instr.role<input>} : memref<4xi8>
  return
}
