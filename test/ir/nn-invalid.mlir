// RUN: aotc-opt %s -split-input-file -verify-diagnostics

// 2^32 * 2^32 * 4 bytes = 2^66, which is 0 in 64 bits.
func.func @size_wraps(%x: tensor<4294967296x4294967296x4xf32>) {
  // expected-error@+1 {{at most 2147483647 bytes}}
  %y = nn.reshape %x : (tensor<4294967296x4294967296x4xf32>) -> tensor<4294967296x4294967296x4xf32>
  return
}

// -----

func.func @element_type(%x: tensor<4xindex>) {
  // expected-error@+1 {{must be statically shaped tensor of integers, floats}}
  %y = nn.reshape %x : (tensor<4xindex>) -> tensor<2x2xindex>
  return
}

// -----

// Values outside -8 to 7 could not be told from values inside: no kernel clamps there.
func.func @narrow_range(%x: tensor<4x!quant.uniform<i8<-8:7>:f32, 0.5>>) {
  // expected-error@+1 {{whole-range quantised integers}}
  %y = nn.reshape %x : (tensor<4x!quant.uniform<i8<-8:7>:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8<-8:7>:f32, 0.5>>
  return
}

// -----

!q = !quant.uniform<i8:f32, 0.5>
func.func @table_size(%x: tensor<4x!q>) {
  // expected-error@+1 {{has 2 entries, not 256}}
  %y = nn.table %x {table = array<i8: 1, 2>} : (tensor<4x!q>) -> tensor<4x!q>
  return
}

// -----

!q = !quant.uniform<i16:f32, 0.5>
func.func @table_type(%x: tensor<4x!q>) {
  // expected-error@+1 {{has no function of '!quant.uniform<i16:f32, 5.000000e-01>'}}
  %y = nn.table %x {table = array<i8: 1, 2>} : (tensor<4x!q>) -> tensor<4x!q>
  return
}
