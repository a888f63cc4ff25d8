// RUN: aotc-opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(func.func(aotc-annotate-used-memory))'

func.func @no_dealloc() {
  // expected-error@+1 {{aotc-annotate-used-memory: buffer 'x' has no instr.dealloc; run aotc-tighten-lifetimes first}}
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %x to %y : memref<8xi8> to memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

func.func @not_tight() {
  %x = instr.alloc "x" align 1 {position = 0 : i64, role = #instr.role<input>} : memref<8xi8>
  // expected-error@+1 {{buffer 'a' lives longer than its uses; run aotc-tighten-lifetimes first}}
  %a = instr.alloc "a" align 1 : memref<8xi8>
  %y = instr.alloc "y" align 1 {position = 0 : i64, role = #instr.role<output>} : memref<8xi8>
  instr.copy %x to %a : memref<8xi8> to memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  instr.copy %a to %y : memref<8xi8> to memref<8xi8>
  instr.copy %y to %y : memref<8xi8> to memref<8xi8>
  instr.dealloc %a : memref<8xi8>
  instr.dealloc %y : memref<8xi8>
  return
}

// -----

// expected-error@+1 {{aotc-annotate-used-memory does not support dynamic shapes: argument of type 'memref<1x2x2x?xi8>'; give the model static shapes first}}
func.func @dynamic_io(%x: memref<1x2x2x?xi8>) {
  return
}

// -----

func.func @dynamic_inside() {
  %0 = instr.alloc "x" align 1 : memref<3x2x2x4xi8>
  // expected-error@+1 {{aotc-annotate-used-memory does not support dynamic shapes: 'memref<?x2x2x4xi8>'; give the model static shapes first}}
  %1 = memref.cast %0 : memref<3x2x2x4xi8> to memref<?x2x2x4xi8>
  return
}

// -----

func.func @not_lowered() {
  // expected-error@+1 {{works on instructions only, not on 'memref.alloc'; lower the model first}}
  %0 = memref.alloc() : memref<2xi8>
  return
}

// -----

func.func @twice() {
  %x = instr.alloc "x" align 1 : memref<8xi8>
  // expected-note@+1 {{first here}}
  instr.dealloc %x : memref<8xi8>
  // expected-error@+1 {{buffer 'x' is deallocated twice}}
  instr.dealloc %x : memref<8xi8>
  return
}

// -----

func.func @use_after_dealloc() {
  %x = instr.alloc "x" align 1 : memref<8xi8>
  %y = instr.alloc "y" align 1 : memref<8xi8>
  instr.dealloc %x : memref<8xi8>
  // expected-error@+1 {{buffer 'x' is used after its dealloc}}
  instr.copy %x to %y : memref<8xi8> to memref<8xi8>
  return
}

// -----

func.func @writes_constant() {
  %x = instr.constant "x" align 1 dense<0> : tensor<8xi8> : memref<8xi8>
  // expected-error@+1 {{the instruction writes to a constant}}
  instr.copy %x to %x : memref<8xi8> to memref<8xi8>
  return
}
