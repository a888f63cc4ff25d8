// RUN: aotc-opt %s -split-input-file --aotc-remove-dead-buffers | FileCheck %s

// A chain dies from its end; its views, buffers, scratch and constant go too.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT: instr.alloc "x"
// CHECK-NEXT: instr.alloc "y"
// CHECK-NEXT: instr.copy
// CHECK-NEXT: instr.dealloc
// CHECK-NEXT: return
func.func @chain() {
  %c = instr.constant "c" align 4 dense<1> : tensor<8xi8> : memref<8xi8>
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  %av = instr.view %a at 4 : memref<8xi8> -> memref<4xi8>
  %b = instr.alloc "b" align 4 : memref<4xi8>
  %s = instr.alloc "s" align 4 {role = #instr.role<scratch>} : memref<4xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%a) data(%c) shape [] layer [] : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "g" level "ref" ins(%av) outs(%b) scratch(%s) shape [] layer [] : (memref<4xi8>, memref<4xi8>, memref<4xi8>) -> ()
  instr.copy %x to %y : memref<8xi8> to memref<8xi8>
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// Dead stores, by bytes: "f" writes all of t, but bytes 0 to 7 are overwritten
// before "use" reads them, and nobody reads the rest.
// CHECK-LABEL: func.func @stores
// CHECK-NOT: "f"
// CHECK: "g"
// CHECK: "use"
func.func @stores() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %t = instr.alloc "t" align 4 : memref<12xi8>
  %t0 = instr.view %t at 0 : memref<12xi8> -> memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%t) shape [] layer [] : (memref<8xi8>, memref<12xi8>) -> ()
  instr.kernel "g" level "ref" ins(%x) outs(%t0) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "use" level "ref" ins(%t0) outs(%y) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// One byte more is read: "f" stays. A partial write never kills.
// CHECK-LABEL: func.func @partly
// CHECK: "f"
// CHECK: "g"
// CHECK: "use"
func.func @partly() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %t = instr.alloc "t" align 4 : memref<12xi8>
  %t0 = instr.view %t at 0 : memref<12xi8> -> memref<8xi8>
  %t1 = instr.view %t at 1 : memref<12xi8> -> memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%t) shape [] layer [] : (memref<8xi8>, memref<12xi8>) -> ()
  instr.kernel "g" level "ref" ins(%x) outs(%t0) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "use" level "ref" ins(%t1) outs(%y) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// State is read by the next run; one of two results is enough to stay; an
// unused input is still the model's.
// CHECK-LABEL: func.func @kept
// CHECK: instr.alloc "unused"
// CHECK: "update"
// CHECK: "two"
func.func @kept() {
  %u = instr.alloc "unused" align 4 {position = 1 : i64, role = #instr.role<input>} : memref<8xi8>
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %s = instr.alloc "s" align 4 {role = #instr.role<state>} : memref<8xi8>
  %n = instr.alloc "nobody" align 4 : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.kernel "update" level "ref" ins(%x) inouts(%s) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "two" level "ref" ins(%x) outs(%n, %y) shape [] layer [] : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  return
}
