// RUN: aotc-opt %s --aotc-tighten-lifetimes --aotc-share-buffers --aotc-plan-memory --aotc-advise | FileCheck %s
// RUN: aotc-opt %s --aotc-tighten-lifetimes --aotc-plan-memory --aotc-advise=share=none | FileCheck %s --check-prefix=NONE
// RUN: aotc-opt %s --aotc-tighten-lifetimes --aotc-share-buffers --aotc-plan-memory --aotc-advise=buffer-limit=1 | FileCheck %s --check-prefix=LIMIT

// The input (64) and what f makes of it (16) are live at once: 80. Without the
// input 16 are left, g works in place. If f wrote over its input, the 64 of the
// input alone. The output does not matter.
// CHECK-LABEL: func.func @big_input
// CHECK-SAME: instr.advice = [{arena_bytes = 16 : i64, change = "input 'x' in a buffer of the caller's (64 bytes; --input-mode x=caller)"}, {arena_bytes = 64 : i64, change = "a kernel for CONV_2D 'a' (operator 0) that may write its output over 'x' in place"}]
// CHECK-SAME: instr.advice_text = "input 'x' in a buffer of the caller's (64 bytes; --input-mode x=caller): 16 bytes, 64 fewer"
// CHECK-SAME: instr.arena_bytes = 80
// LIMIT-LABEL: func.func @big_input
// LIMIT-SAME: instr.advice = [], instr.advice_text = "not sought: more than 1 buffers"
func.func @big_input() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<64xi8>
  %a = instr.alloc "a" align 4 : memref<16xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%a) shape [] layer [] {origin = #nn.origin<index = 0, code = "CONV_2D", tensors = [1], names = ["a"]>} : (memref<64xi8>, memref<16xi8>) -> ()
  instr.kernel "g" level "ref" ins(%a) outs(%y) shape [] layer [] {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<16xi8>, memref<16xi8>) -> ()
  return
}

// a and b (64 each) are live at once whatever is done about x and y, and g does
// not end a's life.
// CHECK-LABEL: func.func @nothing_helps
// CHECK-SAME: instr.advice = [],
// CHECK-SAME: instr.advice_text = "no single change that aotc tries lowers it: MUL 'b' (operator 1) needs 'a' (64 bytes), 'b' (64 bytes) at once, and 1 more layer is as full"
// CHECK-SAME: instr.arena_bytes = 128
func.func @nothing_helps() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  %a = instr.alloc "a" align 4 : memref<64xi8>
  %b = instr.alloc "b" align 4 : memref<64xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<4xi8>, memref<64xi8>) -> ()
  instr.kernel "g" level "ref" ins(%a) outs(%b) shape [] layer [] {origin = #nn.origin<index = 1, code = "MUL", tensors = [2], names = ["b"]>} : (memref<64xi8>, memref<64xi8>) -> ()
  instr.kernel "h" level "ref" ins(%a, %b) outs(%y) shape [] layer [] {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<64xi8>, memref<64xi8>, memref<4xi8>) -> ()
  return
}

// 8 + 8 + 100 of scratch; a portable kernel may need none: 8 + 8. In place saves 8.
// CHECK-LABEL: func.func @scratch
// CHECK-SAME: instr.advice_text = "a kernel without scratch for an instruction 'instr.kernel' (--kernels=ref takes the portable, slower ones): 16 bytes, 100 fewer"
func.func @scratch() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %s = instr.alloc "s" align 4 {role = #instr.role<scratch>} : memref<100xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "f" level "dsp" ins(%x) outs(%y) scratch(%s) shape [] layer [] : (memref<8xi8>, memref<8xi8>, memref<100xi8>) -> ()
  return
}

// Sharing was not allowed: x and y side by side are 128, in place 64.
// NONE-LABEL: func.func @unshared
// NONE-SAME: instr.advice_text = "--share=overlap: 64 bytes, 64 fewer"
func.func @unshared() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<64xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<64xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%y) shape [] layer [] {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<64xi8>, memref<64xi8>) -> ()
  return
}

// The caller wants x back: x and y side by side. Else y takes its place.
// CHECK-LABEL: func.func @preserved
// CHECK-SAME: instr.advice_text = "input 'x' overwritten once it is used up (--input-mode x=arena): 8 bytes, 8 fewer"
func.func @preserved() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, preserved, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%y) shape [] layer [] {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// The name is no word for a shell: the number stands for it. 64 + 16 without, 16 with.
// CHECK-LABEL: func.func @odd_name
// CHECK-SAME: instr.advice_text = "output 'a b' in a buffer of the caller's (64 bytes; --output-mode 0=caller): 16 bytes, 64 fewer"
func.func @odd_name() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  %y = instr.alloc "a b" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<64xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%y) shape [] layer [] : (memref<16xi8>, memref<64xi8>) -> ()
  return
}
