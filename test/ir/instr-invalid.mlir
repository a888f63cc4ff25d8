// RUN: aotc-opt %s -split-input-file -verify-diagnostics

func.func @alignment() {
  // expected-error@+1 {{alignment 3 is not a power of two}}
  %0 = instr.alloc "x" align 3 : memref<4xi8>
  return
}

// -----

func.func @position() {
  // expected-error@+1 {{inputs and outputs, and only they, carry a position}}
  %0 = instr.alloc "x" align 4 {role = #instr.role<input>} : memref<4xi8>
  return
}

// -----

func.func @offset() {
  // expected-error@+1 {{offset 6 is not a multiple of 4}}
  %0 = instr.alloc "x" align 4 {offset = 6 : i64} : memref<4xi8>
  return
}

// -----

func.func @dynamic() {
  // expected-error@+1 {{must be statically shaped memref}}
  %0 = instr.alloc "x" align 4 : memref<?xi8>
  return
}

// -----

func.func @dealloc_of_view() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.view %0 at 0 : memref<4xi8> -> memref<2xi8>
  // expected-error@+1 {{operand must be the result of instr.alloc}}
  instr.dealloc %1 : memref<2xi8>
  return
}

// -----

func.func @view_too_long() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  // expected-error@+1 {{4 bytes from 2 on lie outside the source of 4}}
  %1 = instr.view %0 at 2 : memref<4xi8> -> memref<4xi8>
  return
}

// -----

func.func @copy_sizes() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<3xi8>
  // expected-error@+1 {{copies 4 bytes to 3}}
  instr.copy %0 to %1 : memref<4xi8> to memref<3xi8>
  return
}

// -----

func.func @overlap_operand() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{overlap rule names input 1 of 1}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {overlaps = [#instr.overlap<input = 1, output = 0>]} : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @writes_nothing() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  // expected-error@+1 {{writes nothing}}
  instr.kernel "k" level "ref" ins(%0) shape [] layer [] : (memref<4xi8>) -> ()
  return
}

// -----

func.func @rows() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{row geometry does not cover the output}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {rows = #instr.rows<batches = 1, inRows = 2, inRowBytes = 2, outRows = 2, outRowBytes = 3,
                        windowRows = 1, stride = 1, padTop = 0, blockRows = 1>}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @constant_shape() {
  // expected-error@+1 {{value and buffer differ in shape or element type}}
  %0 = instr.constant "w" align 4 dense<1> : tensor<8xi8> : memref<4xi8>
  return
}

// -----

func.func @element_type() {
  // expected-error@+1 {{must be statically shaped memref of i1, i8, i16, i32, i64, f16 or f32}}
  %0 = instr.alloc "x" align 4 : memref<4xindex>
  return
}

// -----

// 2^62 * 4 * 8 bytes = 2^67, which is 0 in 64 bits.
func.func @size_wraps() {
  // expected-error@+1 {{at most 2147483647 bytes}}
  %0 = instr.alloc "x" align 4 : memref<4611686018427387904x4xi64>
  return
}

// -----

func.func @largest() {
  %0 = instr.alloc "x" align 4 : memref<2147483647xi8>
  // expected-error@+1 {{at most 2147483647 bytes}}
  %1 = instr.alloc "y" align 4 : memref<536870912xi32>
  return
}

// -----

func.func @offset_wraps() {
  // expected-error@+1 {{offset 9223372036854775804 is above 2147483647}}
  %0 = instr.alloc "x" align 4 {offset = 9223372036854775804 : i64} : memref<4xi8>
  return
}

// -----

func.func @view_wraps() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  // expected-error@+1 {{1 bytes from 9223372036854775807 on lie outside the source of 4}}
  %1 = instr.view %0 at 9223372036854775807 : memref<4xi8> -> memref<1xi8>
  return
}

// -----

func.func @overlap_multiple() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{overlap rule has multiple 0, which is below 1}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {overlaps = [#instr.overlap<input = 0, output = 0, ascending = 0, multiple = 0>]}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @block_rows() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{row geometry: blockRows = 4000000000 is not in [1, 2147483647]}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {rows = #instr.rows<batches = 1, inRows = 2, inRowBytes = 2, outRows = 2, outRowBytes = 2, windowRows = 1, stride = 1, padTop = 0, blockRows = 4000000000>}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @block_above_rows() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{row geometry: blockRows = 3 is more than the 2 output rows}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {rows = #instr.rows<batches = 1, inRows = 2, inRowBytes = 2, outRows = 2, outRowBytes = 2, windowRows = 1, stride = 1, padTop = 0, blockRows = 3>}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @pad_top() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{row geometry: padTop = -1 is not in [0, 2147483647]}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {rows = #instr.rows<batches = 1, inRows = 2, inRowBytes = 2, outRows = 2, outRowBytes = 2, windowRows = 1, stride = 1, padTop = -1, blockRows = 1>}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @no_rows() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{row geometry: outRows = 0 is not in [1, 2147483647]}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {rows = #instr.rows<batches = 1, inRows = 2, inRowBytes = 2, outRows = 0, outRowBytes = 2, windowRows = 1, stride = 1, padTop = 0, blockRows = 1>}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}

// -----

func.func @geometry_wraps() {
  %0 = instr.alloc "x" align 4 : memref<4xi8>
  %1 = instr.alloc "y" align 4 : memref<4xi8>
  // expected-error@+1 {{row geometry does not cover the input}}
  instr.kernel "k" level "ref" ins(%0) outs(%1) shape [] layer []
    {rows = #instr.rows<batches = 1073741824, inRows = 1073741824, inRowBytes = 1073741824, outRows = 2, outRowBytes = 2, windowRows = 1, stride = 1, padTop = 0, blockRows = 1>}
    : (memref<4xi8>, memref<4xi8>) -> ()
  return
}
