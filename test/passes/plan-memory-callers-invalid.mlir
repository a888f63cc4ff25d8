// RUN: aotc-opt %s -split-input-file -verify-diagnostics --aotc-place-io --aotc-plan-memory

// x is the caller's. At the first instruction 8 (a) are live, at the second 8
// (a) and 8 (y) of ours: 16. 10 + 5 hold only one of a and y, and only in 10: 8
// for the other are missing by 3 in 5. The caller's 4 of x count on both sides:
// 4 + 16 and 4 + 15.
// expected-error@+6 {{the memory does not hold the model: operator 4 (CONV_2D) 'second' lacks 3 bytes in region 'b', which has 5}}
// expected-note@+5 {{no plan can fit: 20 bytes are needed at once, all regions together have 19}}
// expected-note@+4 {{it would fit if region 'a' had 16 bytes}}
// expected-note@+3 {{it would fit if region 'b' had 8 bytes}}
// expected-note@+2 {{a single region would have to have 16 bytes}}
// expected-note@+1 {{8 bytes are inputs and outputs}}
func.func @short() attributes {instr.regions = [#instr.region<name = "a", capacity = 10>, #instr.region<name = "b", capacity = 5>]} {
  %x = instr.alloc "x" align 1 {instr.io = "caller", position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  %a = instr.alloc "a" align 1 : memref<8xi8>
  instr.kernel "k" level "ref" ins(%x) outs(%a) shape [] layer [] {origin = #nn.origin<index = 3, code = "ADD", tensors = [1], names = ["first"]>} : (memref<4xi8>, memref<8xi8>) -> ()
  instr.dealloc %x : memref<4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "k" level "ref" ins(%a) outs(%y) shape [] layer [] {origin = #nn.origin<index = 4, code = "CONV_2D", tensors = [2], names = ["second;fused/other"]>} : (memref<8xi8>, memref<8xi8>) -> ()
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}
