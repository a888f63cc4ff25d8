// RUN: aotc-opt %s -split-input-file --aotc-tighten-lifetimes --aotc-annotate-used-memory | FileCheck %s
//
// The worked cases of TVM's used-memory annotation (test_used_memory_annotator.py
// of its v0.9 to v0.19), rebuilt: opaque kernels without overlap rules, the
// figures of the original. A concatenation that had no figure there has one
// here, its arithmetic beside it.

// 1: one pool.
// CHECK-LABEL: func.func @simple()
// CHECK-SAME: instr.io_used_memory = 32 : i64
func.func @simple() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x2x2x4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x2x2x4xi8>
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 32 : i64
  instr.kernel "pool" level "ref" ins(%x) outs(%y) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  return
}

// -----

// 2: 128 + 98, 98 + 72, 72 + 50; io = 128 + 50.
// CHECK-LABEL: func.func @multiple_functions()
// CHECK-SAME: instr.io_used_memory = 178 : i64
func.func @multiple_functions() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x8x8x2xi8>
  %a = instr.alloc "a" align 1 : memref<1x7x7x2xi8>
  %b = instr.alloc "b" align 1 : memref<1x6x6x2xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x5x5x2xi8>
  // CHECK: instr.kernel "pool1"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 226 : i64
  instr.kernel "pool1" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x8x8x2xi8>, memref<1x7x7x2xi8>) -> ()
  // CHECK: instr.kernel "pool2"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 170 : i64
  instr.kernel "pool2" level "ref" ins(%a) outs(%b) shape [] layer []
    : (memref<1x7x7x2xi8>, memref<1x6x6x2xi8>) -> ()
  // CHECK: instr.kernel "pool3"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 122 : i64
  instr.kernel "pool3" level "ref" ins(%b) outs(%y) shape [] layer []
    : (memref<1x6x6x2xi8>, memref<1x5x5x2xi8>) -> ()
  return
}

// -----

// 3: 8 * 2 + 8 * 4.
// CHECK-LABEL: func.func @mixed_data_types()
// CHECK-SAME: instr.io_used_memory = 48 : i64
func.func @mixed_data_types() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x2x2x2xi16>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x2x2x2xi32>
  // CHECK: instr.kernel "cast"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 48 : i64
  instr.kernel "cast" level "ref" ins(%x) outs(%y) shape [] layer []
    : (memref<1x2x2x2xi16>, memref<1x2x2x2xi32>) -> ()
  return
}

// -----

// 4: the input lives until its second reader.
// CHECK-LABEL: func.func @parallel_function_call()
// CHECK-SAME: instr.io_used_memory = 360 : i64
func.func @parallel_function_call() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x4x5x6xi8>
  %a = instr.alloc "a" align 1 : memref<1x4x30xi8>
  %b = instr.alloc "b" align 1 : memref<1x4x30xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<2x4x30xi8>
  // CHECK: instr.kernel "reshape1"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 240 : i64
  instr.kernel "reshape1" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x30xi8>) -> ()
  // CHECK: instr.kernel "reshape2"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 360 : i64
  instr.kernel "reshape2" level "ref" ins(%x) outs(%b) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x30xi8>) -> ()
  // 120 + 120 + 240
  // CHECK: instr.kernel "concat"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 480 : i64
  instr.kernel "concat" level "ref" ins(%a, %b) outs(%y) shape [] layer []
    : (memref<1x4x30xi8>, memref<1x4x30xi8>, memref<2x4x30xi8>) -> ()
  return
}

// -----

// 5: three readers of the input, then 120 * 3 + 360.
// CHECK-LABEL: func.func @many_different_parallel_calls()
// CHECK-SAME: instr.io_used_memory = 480 : i64
func.func @many_different_parallel_calls() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x4x5x6xi8>
  %a = instr.alloc "a" align 1 : memref<1x4x5x6xi8>
  %b = instr.alloc "b" align 1 : memref<1x4x5x6xi8>
  %c = instr.alloc "c" align 1 : memref<1x4x5x6xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x4x5x18xi8>
  // CHECK: instr.kernel "tanh"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 240 : i64
  instr.kernel "tanh" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x5x6xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 360 : i64
  instr.kernel "pool" level "ref" ins(%x) outs(%b) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x5x6xi8>) -> ()
  // CHECK: instr.kernel "abs_relu_exp"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 480 : i64
  instr.kernel "abs_relu_exp" level "ref" ins(%x) outs(%c) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x5x6xi8>) -> ()
  // CHECK: instr.kernel "concat"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 720 : i64
  instr.kernel "concat" level "ref" ins(%a, %b, %c) outs(%y) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x5x6xi8>, memref<1x4x5x6xi8>, memref<1x4x5x18xi8>) -> ()
  return
}

// -----

// 6: the input dies after b.
// CHECK-LABEL: func.func @nested_branches()
// CHECK-SAME: instr.io_used_memory = 64 : i64
func.func @nested_branches() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x2x2x4xi8>
  %a = instr.alloc "a" align 1 : memref<1x2x2x4xi8>
  %b = instr.alloc "b" align 1 : memref<1x2x2x4xi8>
  %c = instr.alloc "c" align 1 : memref<1x2x2x4xi8>
  %d = instr.alloc "d" align 1 : memref<1x2x2x4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x2x2x12xi8>
  // CHECK: instr.kernel "relu1"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 32 : i64
  instr.kernel "relu1" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // CHECK: instr.kernel "relu2"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 48 : i64
  instr.kernel "relu2" level "ref" ins(%x) outs(%b) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // CHECK: instr.kernel "relu3"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 48 : i64
  instr.kernel "relu3" level "ref" ins(%b) outs(%c) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // CHECK: instr.kernel "relu4"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 64 : i64
  instr.kernel "relu4" level "ref" ins(%b) outs(%d) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // 16 * 3 + 48
  // CHECK: instr.kernel "concat"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 96 : i64
  instr.kernel "concat" level "ref" ins(%a, %c, %d) outs(%y) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>, memref<1x2x2x4xi8>, memref<1x2x2x12xi8>) -> ()
  return
}

// -----

// 7: a composite is one kernel.
// CHECK-LABEL: func.func @composite_inner_function()
// CHECK-SAME: instr.io_used_memory = 20 : i64
func.func @composite_inner_function() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x2x2x4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x1x1x4xi8>
  // CHECK: instr.kernel "composite"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 20 : i64
  instr.kernel "composite" level "ref" ins(%x) outs(%y) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x1x1x4xi8>) -> ()
  return
}

// -----

// 8: one kernel called twice.
// CHECK-LABEL: func.func @multiple_calls_to_same_function()
// CHECK-SAME: instr.io_used_memory = 32 : i64
func.func @multiple_calls_to_same_function() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x2x2x4xi8>
  %a = instr.alloc "a" align 1 : memref<1x2x2x4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x2x2x4xi8>
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 32 : i64
  instr.kernel "pool" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 32 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%y) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  return
}

// -----

// 9: one kernel called twice on the input.
// CHECK-LABEL: func.func @parallel_calls_to_same_function()
// CHECK-SAME: instr.io_used_memory = 48 : i64
func.func @parallel_calls_to_same_function() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x2x2x4xi8>
  %a = instr.alloc "a" align 1 : memref<1x2x2x4xi8>
  %b = instr.alloc "b" align 1 : memref<1x2x2x4xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<2x2x2x4xi8>
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 32 : i64
  instr.kernel "pool" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 48 : i64
  instr.kernel "pool" level "ref" ins(%x) outs(%b) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>) -> ()
  // 16 + 16 + 32
  // CHECK: instr.kernel "concat"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 64 : i64
  instr.kernel "concat" level "ref" ins(%a, %b) outs(%y) shape [] layer []
    : (memref<1x2x2x4xi8>, memref<1x2x2x4xi8>, memref<2x2x2x4xi8>) -> ()
  return
}

// -----

// 10: 120 + 80 i at the i-th of twenty readers.
// CHECK-LABEL: func.func @parallel_calls_with_non_ifm_input()
// CHECK-SAME: instr.io_used_memory = 1720 : i64
func.func @parallel_calls_with_non_ifm_input() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<1x4x5x6xi8>
  %a = instr.alloc "a" align 1 : memref<1x4x5x6xi8>
  %z1 = instr.alloc "z1" align 1 : memref<1x4x4x5xi8>
  %z2 = instr.alloc "z2" align 1 : memref<1x4x4x5xi8>
  %z3 = instr.alloc "z3" align 1 : memref<1x4x4x5xi8>
  %z4 = instr.alloc "z4" align 1 : memref<1x4x4x5xi8>
  %z5 = instr.alloc "z5" align 1 : memref<1x4x4x5xi8>
  %z6 = instr.alloc "z6" align 1 : memref<1x4x4x5xi8>
  %z7 = instr.alloc "z7" align 1 : memref<1x4x4x5xi8>
  %z8 = instr.alloc "z8" align 1 : memref<1x4x4x5xi8>
  %z9 = instr.alloc "z9" align 1 : memref<1x4x4x5xi8>
  %z10 = instr.alloc "z10" align 1 : memref<1x4x4x5xi8>
  %z11 = instr.alloc "z11" align 1 : memref<1x4x4x5xi8>
  %z12 = instr.alloc "z12" align 1 : memref<1x4x4x5xi8>
  %z13 = instr.alloc "z13" align 1 : memref<1x4x4x5xi8>
  %z14 = instr.alloc "z14" align 1 : memref<1x4x4x5xi8>
  %z15 = instr.alloc "z15" align 1 : memref<1x4x4x5xi8>
  %z16 = instr.alloc "z16" align 1 : memref<1x4x4x5xi8>
  %z17 = instr.alloc "z17" align 1 : memref<1x4x4x5xi8>
  %z18 = instr.alloc "z18" align 1 : memref<1x4x4x5xi8>
  %z19 = instr.alloc "z19" align 1 : memref<1x4x4x5xi8>
  %z20 = instr.alloc "z20" align 1 : memref<1x4x4x5xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<1x4x4x100xi8>
  // CHECK: instr.kernel "tanh"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 240 : i64
  instr.kernel "tanh" level "ref" ins(%x) outs(%a) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x5x6xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 200 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z1) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 280 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z2) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 360 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z3) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 440 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z4) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 520 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z5) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 600 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z6) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 680 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z7) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 760 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z8) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 840 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z9) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 920 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z10) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1000 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z11) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1080 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z12) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1160 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z13) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1240 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z14) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1320 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z15) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1400 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z16) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1480 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z17) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1560 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z18) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1640 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z19) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // CHECK: instr.kernel "pool"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 1720 : i64
  instr.kernel "pool" level "ref" ins(%a) outs(%z20) shape [] layer []
    : (memref<1x4x5x6xi8>, memref<1x4x4x5xi8>) -> ()
  // 80 * 20 + 1600
  // CHECK: instr.kernel "concat"
  // CHECK-SAME: scratch_memory = 0 : i64, used_memory = 3200 : i64
  instr.kernel "concat" level "ref" ins(%z1, %z2, %z3, %z4, %z5, %z6, %z7, %z8, %z9, %z10, %z11, %z12, %z13, %z14, %z15, %z16, %z17, %z18, %z19, %z20) outs(%y) shape [] layer []
    : (memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x5xi8>, memref<1x4x4x100xi8>) -> ()
  return
}
