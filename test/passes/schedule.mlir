// RUN: aotc-opt %s -split-input-file --aotc-schedule | FileCheck %s
// RUN: aotc-opt %s -split-input-file --aotc-schedule="state-limit=1 beam-width=4" | FileCheck %s --check-prefix=BEAM
// RUN: aotc-opt %s -split-input-file --aotc-schedule=share=none | FileCheck %s --check-prefix=NONE
// RUN: aotc-opt %s -split-input-file --aotc-schedule=shuffle=1 | FileCheck %s --check-prefix=ANY
// RUN: aotc-opt %s -split-input-file --aotc-schedule=shuffle=2 | FileCheck %s --check-prefix=ANY
// RUN: aotc-opt %s -split-input-file --aotc-schedule=shuffle=3 | FileCheck %s --check-prefix=ANY

// What frees memory goes before what takes some. Given: x + p + q + r = 8 + 20
// + 20 + 20 = 68 at "r". Best is p, p2, q, y, r with x + p' + q + y = 8 + 2 +
// 20 + 2 = 32 at "y": with r before q, x + p' + r + q = 50; with q or r before
// p2, 48 at least. Beam search finds it too, but claims nothing.
// CHECK: func.func @frees() attributes {instr.order_given_peak = 68 : i64, instr.order_peak = 32 : i64, instr.order_proved = true}
// CHECK: instr.kernel "p"
// CHECK: instr.kernel "p2"
// CHECK: instr.kernel "q"
// CHECK: instr.kernel "y"
// CHECK: instr.kernel "r"
// BEAM: func.func @frees() attributes {instr.order_given_peak = 68 : i64, instr.order_peak = 32 : i64, instr.order_proved = false}
func.func @frees() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %p = instr.alloc "p" align 4 : memref<20xi8>
  %p2 = instr.alloc "p'" align 4 : memref<2xi8>
  %q = instr.alloc "q" align 4 : memref<20xi8>
  %r = instr.alloc "r" align 4 {position = 1 : i64, role = #instr.role<output>} : memref<20xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<2xi8>
  instr.kernel "p" level "ref" ins(%x) outs(%p) shape [] layer [] : (memref<8xi8>, memref<20xi8>) -> ()
  instr.kernel "q" level "ref" ins(%x) outs(%q) shape [] layer [] : (memref<8xi8>, memref<20xi8>) -> ()
  instr.kernel "r" level "ref" ins(%x) outs(%r) shape [] layer [] : (memref<8xi8>, memref<20xi8>) -> ()
  instr.kernel "p2" level "ref" ins(%p) outs(%p2) shape [] layer [] : (memref<20xi8>, memref<2xi8>) -> ()
  instr.kernel "y" level "ref" ins(%p2, %q) outs(%y) shape [] layer [] : (memref<2xi8>, memref<20xi8>, memref<2xi8>) -> ()
  instr.dealloc %x : memref<8xi8>
  instr.dealloc %p : memref<20xi8>
  instr.dealloc %p2 : memref<2xi8>
  instr.dealloc %q : memref<20xi8>
  instr.dealloc %r : memref<20xi8>
  instr.dealloc %y : memref<2xi8>
  return
}

// -----

// In place counts once: 16 for the pair; 32 where nothing may share.
// CHECK: func.func @pair() attributes {instr.order_given_peak = 16 : i64, instr.order_peak = 16 : i64, instr.order_proved = true}
// NONE: func.func @pair() attributes {instr.order_given_peak = 32 : i64, instr.order_peak = 32 : i64, instr.order_proved = true}
func.func @pair() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "relu" level "ref" ins(%x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, descending = 0>]} : (memref<16xi8>, memref<16xi8>) -> ()
  return
}

// -----

// Partly: the output may start 4 below the input, whose 12 bytes then all lie
// on its 16.
// CHECK: func.func @partly() attributes {instr.order_given_peak = 16 : i64
func.func @partly() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<12xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  instr.kernel "pad" level "ref" ins(%x) outs(%y) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 4>]} : (memref<12xi8>, memref<16xi8>) -> ()
  return
}

// -----

// Views that overlap in one byte: their order stays, whatever the seed; so does
// that of a state's update and its readers.
// ANY: func.func @stacked
// ANY: "first"
// ANY: "second"
// ANY: "sum"
// ANY-LABEL: func.func @state
// ANY: "before"
// ANY: "update"
// ANY: "after"
func.func @stacked() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<2xi8>
  %t = instr.alloc "t" align 1 : memref<3xi8>
  %a = instr.view %t at 0 : memref<3xi8> -> memref<2xi8>
  %b = instr.view %t at 1 : memref<3xi8> -> memref<2xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<2xi8>
  instr.kernel "first" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<2xi8>, memref<2xi8>) -> ()
  instr.kernel "second" level "ref" ins(%x) outs(%b) shape [] layer [] : (memref<2xi8>, memref<2xi8>) -> ()
  instr.kernel "sum" level "ref" ins(%a, %b) outs(%y) shape [] layer [] : (memref<2xi8>, memref<2xi8>, memref<2xi8>) -> ()
  return
}

// -----

func.func @state() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<2xi8>
  %s = instr.alloc "s" align 1 {role = #instr.role<state>} : memref<2xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<2xi8>
  %z = instr.alloc "z" align 1 {position = 1 : i64, role = #instr.role<output>} : memref<2xi8>
  instr.kernel "before" level "ref" ins(%s) outs(%y) shape [] layer [] : (memref<2xi8>, memref<2xi8>) -> ()
  instr.kernel "update" level "ref" ins(%x) inouts(%s) shape [] layer [] : (memref<2xi8>, memref<2xi8>) -> ()
  instr.kernel "after" level "ref" ins(%s) outs(%z) shape [] layer [] : (memref<2xi8>, memref<2xi8>) -> ()
  return
}
