// RUN: aotc-opt %s -split-input-file -verify-diagnostics --aotc-plan-memory=share=none

// At the second instruction 8 (a) and 8 (y) bytes are live. 10 + 5 hold one of
// them each at most, and only in 10: 3 are missing in "b", however it is done.
// expected-error@+7 {{the memory does not hold the model: operator 4 (CONV_2D) 'second' lacks 3 bytes in region 'b', which has 5}}
// expected-note@+6 {{no plan can fit: 16 bytes are needed at once, all regions together have 15}}
// expected-note@+5 {{it would fit if region 'a' had 16 bytes}}
// expected-note@+4 {{it would fit if region 'b' had 8 bytes}}
// expected-note@+3 {{a single region would have to have 16 bytes}}
// expected-note@+2 {{12 bytes are inputs and outputs}}
// expected-note@+1 {{--share=overlap may need less}}
func.func @short() attributes {instr.regions = [#instr.region<name = "a", capacity = 10>, #instr.region<name = "b", capacity = 5>]} {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  %a = instr.alloc "a" align 1 : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] {origin = #nn.origin<index = 3, code = "ADD", tensors = [1], names = ["first"]>} : (memref<4xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%a) outs(%y) shape [] layer [] {origin = #nn.origin<index = 4, code = "CONV_2D", tensors = [2], names = ["second;fused/other"]>} : (memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

func.func @unknown() attributes {instr.regions = [#instr.region<name = "a">]} {
  // expected-error@+1 {{aotc-plan-memory: buffer 'x' wants region 'b', which does not exist}}
  %x = instr.alloc "x" align 1 {position = 0 : i64, region = "b", role = #instr.role<input>} : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  return
}

// -----

// expected-error@+1 {{instr.regions has two regions 'a'}}
func.func @twice() attributes {instr.regions = [#instr.region<name = "a">, #instr.region<name = "a">]} {
  return
}

// -----

// expected-error@+1 {{instr.regions is no list of regions, or an empty one}}
func.func @no_list() attributes {instr.regions = 3 : i64} {
  return
}

// -----

// expected-error@+1 {{region 'a' has both a base and a section}}
func.func @both() attributes {instr.regions = [#instr.region<name = "a", base = 4, section = ".a">]} {
  return
}

// -----

// expected-error@+1 {{alignment 12 of region 'a' is not a power of two}}
func.func @align() attributes {instr.regions = [#instr.region<name = "a", align = 12>]} {
  return
}

// -----

// expected-error@+1 {{region 'a' has a negative number}}
func.func @negative() attributes {instr.regions = [#instr.region<name = "a", capacity = -1>]} {
  return
}

// -----

// expected-error@+1 {{section of region 'a' is no section's name}}
func.func @quote() attributes {instr.regions = [#instr.region<name = "a", section = "x\22y">]} {
  return
}
