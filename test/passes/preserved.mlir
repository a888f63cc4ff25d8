// RUN: aotc-opt %s --pass-pipeline='builtin.module(func.func(aotc-forward-copies,aotc-remove-dead-buffers,aotc-schedule,aotc-tighten-lifetimes,aotc-share-buffers,aotc-annotate-used-memory,aotc-plan-memory,aotc-verify-plan))' | FileCheck %s

// x -> a -> b -> y by kernels that may run in place; the caller wants x back,
// a backward pass reads a. Only y may take over b: 8 + 8 + 8 bytes. Nobody reads
// d, but it is preserved too: 8 more. Live at the second kernel: x, a, b and d.
// CHECK-LABEL: func.func @preserved
// CHECK-SAME: instr.arena_bytes = 32 : i64
// CHECK-SAME: instr.order_peak = 32 : i64
// CHECK: instr.kernel "last"
// CHECK-SAME: instr.shares
// CHECK-SAME: used_memory = 32 : i64
func.func @preserved() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, preserved, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 1 {preserved} : memref<8xi8>
  %d = instr.alloc "d" align 1 {preserved} : memref<8xi8>
  %b = instr.alloc "b" align 1 : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %x to %d : memref<8xi8> to memref<8xi8>
  instr.kernel "first" level "ref" ins(%x) outs(%a) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>]} : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "second" level "ref" ins(%a) outs(%b) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>]} : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "last" level "ref" ins(%b) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0>]} : (memref<8xi8>, memref<8xi8>) -> ()
  return
}
