// RUN: aotc-opt --aotc-lower=target=cortex-m4 -split-input-file -verify-diagnostics %s
// RUN: not aotc-opt --aotc-lower=target=cortex-m9 -split-input-file %s 2>&1 | FileCheck --check-prefix=TARGET %s
// TARGET: unknown target 'cortex-m9'
// RUN: not aotc-opt "--aotc-lower=target=cortex-m4 kernel-level=dsp" -split-input-file %s 2>&1 | FileCheck --check-prefix=LEVEL %s
// LEVEL: kernels were restricted to level 'dsp', allow all of them

!s16 = !quant.uniform<i16:f32, 2.5e-01>

// All that is unsupported is reported, not only the first.
func.func @main(%x: tensor<4x!s16>) -> tensor<4x!s16> {
  // expected-error-re@+1 {{unsupported: operator 3 (RELU) 'r': no {{.*}}; convert this part of the model to int8 or float32}}
  %0 = nn.relu %x {origin = #nn.origin<index = 3, code = "RELU", tensors = [3], names = ["r"]>}
      : (tensor<4x!s16>) -> tensor<4x!s16>
  // expected-error-re@+1 {{unsupported: operator 1 (RELU6): no {{.*}}; convert this part of the model}}
  %1 = nn.relu6 %0 : (tensor<4x!s16>) -> tensor<4x!s16>
  return %1 : tensor<4x!s16>
}

// -----

// expected-error@below {{there is no function 'main' of one block to lower}}
module {
}

// -----

// expected-error@+1 {{no buffer can hold an argument or result of type 'tensor<4xindex>'}}
func.func @main(%x: tensor<4xindex>) {
  return
}

// -----

func.func @main() -> tensor<4xf32> {
  // expected-error@+1 {{is no operation of the nn dialect}}
  %0 = builtin.unrealized_conversion_cast to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// 1e30 * 1e30 / 1e-30 fits no multiplier.
!huge = !quant.uniform<i8:f32, 1.0e30>
!tiny = !quant.uniform<i8:f32, 1.0e-30>
func.func @main(%x: tensor<1x2x!huge>) -> tensor<1x1x!tiny> {
  %w = nn.constant dense<1> : tensor<1x2xi8> -> tensor<1x2x!huge>
  // expected-error-re@+1 {{unsupported: operator 0 (FULLY_CONNECTED): {{.*}}; convert the model again}}
  %0 = nn.fully_connected %x, %w : (tensor<1x2x!huge>, tensor<1x2x!huge>) -> tensor<1x1x!tiny>
  return %0 : tensor<1x1x!tiny>
}
