// RUN: aotc-opt %s -split-input-file --aotc-forward-copies | FileCheck %s

// Nested concatenations: the outermost is the buffer. r1 = [x', a] lies at 0 in
// y = [r1, b].
// CHECK-LABEL: func.func @nested
func.func @nested() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %x1 = instr.alloc "x1" align 4 : memref<8xi8>
  %a = instr.alloc "a" align 4 : memref<4xi8>
  %r1 = instr.alloc "r1" align 4 : memref<12xi8>
  %b = instr.alloc "b" align 4 : memref<4xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  // CHECK-DAG: %[[Y:.*]] = instr.alloc "y"
  // CHECK-DAG: %[[R1:.*]] = instr.view %[[Y]] at 0 {name = "r1"}
  // CHECK-DAG: %[[B:.*]] = instr.view %[[Y]] at 12 {name = "b"}
  // CHECK-DAG: %[[X1:.*]] = instr.view %[[Y]] at 0 {name = "x1"}
  // CHECK-DAG: %[[A:.*]] = instr.view %[[Y]] at 8 {name = "a"}
  // CHECK: instr.kernel "f"{{.*}} outs(%[[X1]])
  // CHECK-NEXT: instr.kernel "g"{{.*}} ins(%[[X1]]) outs(%[[A]])
  // CHECK-NEXT: instr.kernel "h"{{.*}} ins(%[[R1]]) outs(%[[B]])
  // CHECK-NEXT: return
  instr.kernel "f" level "ref" ins(%x) outs(%x1) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "g" level "ref" ins(%x1) outs(%a) shape [] layer [] : (memref<8xi8>, memref<4xi8>) -> ()
  instr.kernel "join" level "ref" ins(%x1, %a) outs(%r1) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 8, bytes = 4>]}
    : (memref<8xi8>, memref<4xi8>, memref<12xi8>) -> ()
  instr.kernel "h" level "ref" ins(%r1) outs(%b) shape [] layer [] : (memref<12xi8>, memref<4xi8>) -> ()
  instr.kernel "join" level "ref" ins(%r1, %b) outs(%y) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 12>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 12, bytes = 4>]}
    : (memref<12xi8>, memref<4xi8>, memref<16xi8>) -> ()
  return
}

// -----

// A split, its strips given one by one: both readers read from the original.
// CHECK-LABEL: func.func @split
func.func @split() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<16xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  %b = instr.alloc "b" align 4 : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  // CHECK-DAG: %[[X:.*]] = instr.alloc "x"
  // CHECK-DAG: %[[A:.*]] = instr.view %[[X]] at 0 {name = "a"}
  // CHECK-DAG: %[[B:.*]] = instr.view %[[X]] at 8 {name = "b"}
  // CHECK-NOT: split
  // CHECK-NOT: instr.copy
  // CHECK: instr.kernel "add"{{.*}} ins(%[[A]], %[[B]])
  instr.kernel "split" level "ref" ins(%x) outs(%a, %b) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 4>,
              #instr.move<input = 0, input_offset = 4, output = 0, output_offset = 4, bytes = 4>,
              #instr.move<input = 0, input_offset = 8, output = 1, output_offset = 0, bytes = 8>]}
    : (memref<16xi8>, memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "add" level "ref" ins(%a, %b) outs(%y) shape [] layer []
    : (memref<8xi8>, memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

// Who may have the tensor: it is wanted in two outputs, and twice in one of
// them. It lives in one place; the other two get copies.
// CHECK-LABEL: func.func @fight
func.func @fight() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<16xi8>
  %z = instr.alloc "z" align 4 {position = 1 : i64, role = #instr.role<output>} : memref<16xi8>
  // The input stays where it is, the other half of z too.
  // CHECK-DAG: %[[X:.*]] = instr.alloc "x"
  // CHECK-DAG: %[[Z:.*]] = instr.alloc "z"
  // CHECK-DAG: %[[A:.*]] = instr.view %[[Z]] at 0 {name = "a"}
  // CHECK: instr.kernel "f"{{.*}} outs(%[[A]])
  // CHECK: instr.kernel "join"{{.*}} ins(%[[A]], %[[A]])
  // CHECK: instr.copy %[[X]] to
  // CHECK-NEXT: return
  instr.kernel "f" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "join" level "ref" ins(%a, %a) outs(%y) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 8, bytes = 8>]}
    : (memref<8xi8>, memref<8xi8>, memref<16xi8>) -> ()
  instr.kernel "join" level "ref" ins(%a, %x) outs(%z) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 8, bytes = 8>]}
    : (memref<8xi8>, memref<8xi8>, memref<16xi8>) -> ()
  return
}

// -----

// Twice in one: the first place is its own, the second a copy of it. A
// constant and an output of the model are copied.
// CHECK-LABEL: func.func @copied
func.func @copied() {
  %c = instr.constant "c" align 4 dense<1> : tensor<8xi8> : memref<8xi8>
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  %o = instr.alloc "o" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 1 : i64, role = #instr.role<output>} : memref<32xi8>
  // CHECK-DAG: %[[Y:.*]] = instr.alloc "y"
  // CHECK-DAG: %[[C:.*]] = instr.constant "c"
  // CHECK-DAG: %[[O:.*]] = instr.alloc "o"
  // CHECK-DAG: %[[A:.*]] = instr.view %[[Y]] at 0 {name = "a"}
  // CHECK: instr.kernel "f"{{.*}} outs(%[[A]])
  // CHECK: instr.kernel "g"{{.*}} outs(%[[O]])
  instr.kernel "f" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  instr.kernel "g" level "ref" ins(%a) outs(%o) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  // CHECK-DAG: %[[AT8:.*]] = instr.view %[[Y]] at 8
  // CHECK-DAG: %[[AT16:.*]] = instr.view %[[Y]] at 16
  // CHECK-DAG: %[[AT24:.*]] = instr.view %[[Y]] at 24
  // CHECK-DAG: instr.copy %[[A]] to %[[AT8]]
  // CHECK-DAG: instr.copy %[[C]] to %[[AT16]]
  // CHECK-DAG: instr.copy %[[O]] to %[[AT24]]
  // CHECK: return
  instr.kernel "join" level "ref" ins(%a, %a, %c, %o) outs(%y) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 8, bytes = 8>,
              #instr.move<input = 2, input_offset = 0, output = 0, output_offset = 16, bytes = 8>,
              #instr.move<input = 3, input_offset = 0, output = 0, output_offset = 24, bytes = 8>]}
    : (memref<8xi8>, memref<8xi8>, memref<8xi8>, memref<8xi8>, memref<32xi8>) -> ()
  return
}

// -----

// Byte 6 is no place for a buffer that is aligned to 4, and an input keeps its
// own: nothing goes, so the kernel stays whole.
// CHECK-LABEL: func.func @misaligned
func.func @misaligned() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<6xi8>
  %b = instr.alloc "b" align 4 : memref<6xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<12xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%b) shape [] layer [] : (memref<6xi8>, memref<6xi8>) -> ()
  // CHECK: instr.kernel "join"
  instr.kernel "join" level "ref" ins(%x, %b) outs(%y) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 6>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 6, bytes = 6>]}
    : (memref<6xi8>, memref<6xi8>, memref<12xi8>) -> ()
  return
}

// -----

// Memory does not allow it: the peak is b + wide + a = 4 + 100 + 60 = 164 at
// "h"; with a or b in y it is at least 100 + 64 + 4 = 168 there or at "g".
// CHECK-LABEL: func.func @peak
func.func @peak() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  %b = instr.alloc "b" align 4 : memref<4xi8>
  %wide = instr.alloc "wide" align 4 : memref<100xi8>
  %a = instr.alloc "a" align 4 : memref<60xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<64xi8>
  instr.kernel "f" level "ref" ins(%x) outs(%b) shape [] layer [] : (memref<4xi8>, memref<4xi8>) -> ()
  instr.kernel "g" level "ref" ins(%x) outs(%wide) shape [] layer [] : (memref<4xi8>, memref<100xi8>) -> ()
  instr.kernel "h" level "ref" ins(%wide) outs(%a) shape [] layer [] : (memref<100xi8>, memref<60xi8>) -> ()
  // CHECK: instr.kernel "join"
  instr.kernel "join" level "ref" ins(%a, %b) outs(%y) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 60>,
              #instr.move<input = 1, input_offset = 0, output = 0, output_offset = 60, bytes = 4>]}
    : (memref<60xi8>, memref<4xi8>, memref<64xi8>) -> ()
  return
}

// -----

// Read later through a view: allowed. Overwritten while it is read: not.
// CHECK-LABEL: func.func @later
func.func @later() {
  %x = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %a = instr.alloc "a" align 4 : memref<8xi8>
  %t = instr.alloc "t" align 4 : memref<8xi8>
  %y = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  %z = instr.alloc "z" align 4 {position = 1 : i64, role = #instr.role<output>} : memref<4xi8>
  // CHECK-DAG: %[[Y:.*]] = instr.alloc "y"
  // CHECK-DAG: %[[A:.*]] = instr.view %[[Y]] at 0 {name = "a"}
  // CHECK-DAG: %[[T:.*]] = instr.alloc "t"
  // CHECK: instr.kernel "f"{{.*}} outs(%[[A]])
  instr.kernel "f" level "ref" ins(%x) outs(%a) shape [] layer [] : (memref<8xi8>, memref<8xi8>) -> ()
  // CHECK-NEXT: instr.copy %[[A]] to %[[T]]
  instr.copy %a to %t : memref<8xi8> to memref<8xi8>
  // CHECK-NEXT: instr.kernel "update"{{.*}} inouts(%[[T]])
  instr.kernel "update" level "ref" inouts(%t) shape [] layer [] : (memref<8xi8>) -> ()
  // CHECK-NOT: instr.copy
  instr.copy %a to %y : memref<8xi8> to memref<8xi8>
  // CHECK: %[[PART:.*]] = instr.view %[[A]] at 4
  %part = instr.view %a at 4 : memref<8xi8> -> memref<4xi8>
  // CHECK: instr.kernel "g"{{.*}} ins(%[[PART]], %[[T]])
  instr.kernel "g" level "ref" ins(%part, %t) outs(%z) shape [] layer []
    : (memref<4xi8>, memref<8xi8>, memref<4xi8>) -> ()
  return
}
