// RUN: aotc-opt --aotc-lower=target=x86-64-v3 -split-input-file %s | FileCheck %s
// RUN: aotc-opt --aotc-lower=target=cortex-a53 -split-input-file %s | FileCheck %s

// Under an operating system 64 KiB are no reason against a fast kernel, more are.
// A window of 25 x 1 taps of 40 channels, a pixel at once: 4,000 bytes of scratch
// beside tensors of 4,000 and 16.

// CHECK-LABEL: func.func @main
// CHECK: remark = "aotc_conv_2d_f32__{{avx2|neon}}"
func.func @main(%x: tensor<1x25x1x40xf32>) -> tensor<1x1x1x4xf32> {
  %w = nn.constant dense<1.0> : tensor<4x25x1x40xf32> -> tensor<4x25x1x40xf32>
  %y = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x25x1x40xf32>, tensor<4x25x1x40xf32>) -> tensor<1x1x1x4xf32>
  return %y : tensor<1x1x1x4xf32>
}

// -----

// 25 x 700 channels: 70,000 bytes beside tensors of 70,000 and 16.

// CHECK-LABEL: func.func @main
// CHECK: remark = "aotc_conv_2d_f32__ref; {{.*}}passed over: 70000 bytes of scratch at the peak
func.func @main(%x: tensor<1x25x1x700xf32>) -> tensor<1x1x1x4xf32> {
  %w = nn.constant dense<1.0> : tensor<4x25x1x700xf32> -> tensor<4x25x1x700xf32>
  %y = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x25x1x700xf32>, tensor<4x25x1x700xf32>) -> tensor<1x1x1x4xf32>
  return %y : tensor<1x1x1x4xf32>
}
