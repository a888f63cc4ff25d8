// RUN: aotc-opt --aotc-verify-lowered -split-input-file -verify-diagnostics %s

func.func @main() {
  // expected-error@+1 {{buffer 'lost' is never freed}}
  %0 = instr.alloc "lost" align 4 : memref<4xi8>
  return
}

// -----

func.func @main() {
  %0 = instr.alloc "twice" align 4 : memref<4xi8>
  instr.dealloc %0 : memref<4xi8>
  // expected-error@+1 {{buffer 'twice' is freed twice}}
  instr.dealloc %0 : memref<4xi8>
  return
}

// -----

// A use through a view is a use.
func.func @main() {
  %0 = instr.alloc "a" align 4 : memref<4xi8>
  %1 = instr.alloc "b" align 4 : memref<2x2xi8>
  %2 = instr.view %0 at 0 : memref<4xi8> -> memref<2x2xi8>
  instr.dealloc %0 : memref<4xi8>
  // expected-error@+1 {{uses buffer 'a' after it was freed}}
  instr.copy %2 to %1 : memref<2x2xi8> to memref<2x2xi8>
  instr.dealloc %1 : memref<2x2xi8>
  return
}

// -----

// expected-error@+1 {{outputs have a gap at position 0}}
func.func @main() {
  %0 = instr.alloc "y" align 4 {position = 1 : i64, role = #instr.role<output>} : memref<4xi8>
  instr.dealloc %0 : memref<4xi8>
  return
}

// -----

func.func @main() {
  %0 = instr.alloc "x" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  // expected-error@+1 {{position 0 is taken twice}}
  %1 = instr.alloc "y" align 4 {position = 0 : i64, role = #instr.role<input>} : memref<4xi8>
  instr.dealloc %0 : memref<4xi8>
  instr.dealloc %1 : memref<4xi8>
  return
}

// -----

func.func @main() {
  // expected-error@+1 {{position 1000000000000 is out of range}}
  %0 = instr.alloc "x" align 4 {position = 1000000000000 : i64, role = #instr.role<input>} : memref<4xi8>
  instr.dealloc %0 : memref<4xi8>
  return
}

// -----

func.func @main() -> tensor<4xf32> {
  // expected-error@-1 {{must have neither arguments nor results after lowering}}
  %0 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main() {
  // expected-error@+1 {{is left over after lowering}}
  %0 = nn.constant dense<1.0> : tensor<4xf32> -> tensor<4xf32>
  return
}
