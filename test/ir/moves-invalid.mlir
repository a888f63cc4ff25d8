// RUN: aotc-opt %s -split-input-file -verify-diagnostics

func.func @outside(%a: memref<8xi8>, %b: memref<8xi8>) {
  // expected-error@+1 {{move outside the operands: #instr.move<input = 0, input_offset = 4, output = 0, output_offset = 0, bytes = 8>}}
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 4, output = 0, output_offset = 0, bytes = 8>]}
    : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

func.func @index(%a: memref<8xi8>, %b: memref<8xi8>) {
  // expected-error@+1 {{move outside the operands}}
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer []
    {moves = [#instr.move<input = 1, input_offset = 0, output = 0, output_offset = 0, bytes = 8>]}
    : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

func.func @gap(%a: memref<8xi8>, %b: memref<8xi8>) {
  // expected-error@+1 {{moves do not write every byte of output 0 once}}
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 3>,
              #instr.move<input = 0, input_offset = 4, output = 0, output_offset = 4, bytes = 4>]}
    : (memref<8xi8>, memref<8xi8>) -> ()
  return
}

// -----

func.func @twice(%a: memref<8xi8>, %b: memref<8xi8>) {
  // expected-error@+1 {{moves do not write every byte of output 0 once}}
  instr.kernel "k" level "ref" ins(%a) outs(%b) shape [] layer []
    {moves = [#instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>,
              #instr.move<input = 0, input_offset = 0, output = 0, output_offset = 0, bytes = 8>]}
    : (memref<8xi8>, memref<8xi8>) -> ()
  return
}
