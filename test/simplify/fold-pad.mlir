// RUN: aotc-opt --aotc-fold-pad %s | FileCheck %s

!q = !quant.uniform<i8:f32, 5.0e-01:-5>
!p = !quant.uniform<i8:f32, 5.0e-01:4>
!w = !quant.uniform<i8:f32, 2.5e-01>
!r = !quant.uniform<i8:f32, 1.0>

// 1 + 0 above, 2 + 1 left, 0 + 1 below, 1 + 0 right: 6x6 becomes 8x10, with a
// 3x4 filter 6x7.
// CHECK-LABEL: func.func @conv
func.func @conv(%x: tensor<1x6x6x2x!q>, %w: tensor<4x3x4x2x!w>) -> tensor<1x6x7x4x!r> {
  // CHECK-NEXT: nn.conv_2d %arg0, %arg1 {{.*}}padding = array<i64: 1, 3, 1, 1>
  %0 = nn.pad %x {before = array<i64: 0, 1, 2, 0>, after = array<i64: 0, 0, 1, 0>}
      : (tensor<1x6x6x2x!q>) -> tensor<1x7x9x2x!q>
  %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 1, 1, 0>}
      : (tensor<1x7x9x2x!q>, tensor<4x3x4x2x!w>) -> tensor<1x6x7x4x!r>
  return %1 : tensor<1x6x7x4x!r>
}

// Two convolutions of one PAD: both pad, it goes.
// CHECK-LABEL: func.func @two_convolutions
func.func @two_convolutions(%x: tensor<1x6x6x2xf32>, %w: tensor<4x3x3x2xf32>, %d: tensor<1x3x3x2xf32>)
    -> (tensor<1x6x6x4xf32>, tensor<1x6x6x2xf32>) {
  // CHECK-NEXT: nn.conv_2d %arg0, %arg1 {{.*}}padding = array<i64: 1, 1, 1, 1>
  // CHECK-NEXT: nn.depthwise_conv_2d %arg0, %arg2 {{.*}}padding = array<i64: 1, 1, 1, 1>
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>}
      : (tensor<1x6x6x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>) -> tensor<1x6x6x4xf32>
  %2 = nn.depthwise_conv_2d %0, %d {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>, depth_multiplier = 1 : i64}
      : (tensor<1x8x8x2xf32>, tensor<1x3x3x2xf32>) -> tensor<1x6x6x2xf32>
  return %1, %2 : tensor<1x6x6x4xf32>, tensor<1x6x6x2xf32>
}

// A second user needs the padded tensor: nothing changes.
// CHECK-LABEL: func.func @second_user
func.func @second_user(%x: tensor<1x6x6x2xf32>, %w: tensor<4x3x3x2xf32>)
    -> (tensor<1x6x6x4xf32>, tensor<1x8x8x2xf32>) {
  // CHECK: nn.pad
  // CHECK: nn.conv_2d {{.*}}padding = array<i64: 0, 0, 0, 0>
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>}
      : (tensor<1x6x6x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x8x8x2xf32>, tensor<4x3x3x2xf32>) -> tensor<1x6x6x4xf32>
  return %1, %0 : tensor<1x6x6x4xf32>, tensor<1x8x8x2xf32>
}

// PAD copies -5-based numbers into a 4-based tensor and fills with 4; the
// convolution of %x would use -5.
// CHECK-LABEL: func.func @zero_point
func.func @zero_point(%x: tensor<1x6x6x2x!q>, %w: tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r> {
  // CHECK: nn.pad
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>}
      : (tensor<1x6x6x2x!q>) -> tensor<1x8x8x2x!p>
  %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x8x8x2x!p>, tensor<4x3x3x2x!w>) -> tensor<1x6x6x4x!r>
  return %1 : tensor<1x6x6x4x!r>
}

// Channels are no border of a convolution.
// CHECK-LABEL: func.func @channels
func.func @channels(%x: tensor<1x6x6x1xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x4x4xf32> {
  // CHECK: nn.pad
  %0 = nn.pad %x {before = array<i64: 0, 0, 0, 0>, after = array<i64: 0, 0, 0, 1>}
      : (tensor<1x6x6x1xf32>) -> tensor<1x6x6x2xf32>
  %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x6x2xf32>, tensor<4x3x3x2xf32>) -> tensor<1x4x4x4xf32>
  return %1 : tensor<1x4x4x4xf32>
}

// Three columns with a filter three wide: its first window would see padding
// only.
// CHECK-LABEL: func.func @too_wide
func.func @too_wide(%x: tensor<1x6x6x2xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x7x4xf32> {
  // CHECK: nn.pad
  %0 = nn.pad %x {before = array<i64: 0, 0, 3, 0>, after = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x6x2xf32>) -> tensor<1x6x9x2xf32>
  %1 = nn.conv_2d %0, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x9x2xf32>, tensor<4x3x3x2xf32>) -> tensor<1x4x7x4xf32>
  return %1 : tensor<1x4x7x4xf32>
}

// An average pool divides by the pixels inside the image: PAD's zeros count,
// its own padding does not.
// CHECK-LABEL: func.func @pool
func.func @pool(%x: tensor<1x6x6x2xf32>) -> tensor<1x4x4x2xf32> {
  // CHECK: nn.pad
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 1, 1, 0>}
      : (tensor<1x6x6x2xf32>) -> tensor<1x8x8x2xf32>
  %1 = nn.average_pool_2d %0 {filter = array<i64: 2, 2>, strides = array<i64: 2, 2>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x8x8x2xf32>) -> tensor<1x4x4x2xf32>
  return %1 : tensor<1x4x4x2xf32>
}

// -128 is the smallest int8: it wins in no window.
!min = !quant.uniform<i8:f32, 5.0e-01:-128>
// CHECK-LABEL: func.func @max_pool
func.func @max_pool(%x: tensor<1x6x6x2x!min>) -> tensor<1x3x3x2x!min> {
  // CHECK-NEXT: nn.max_pool_2d %arg0 {{.*}}padding = array<i64: 1, 1, 0, 0>
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x6x2x!min>) -> tensor<1x7x7x2x!min>
  %1 = nn.max_pool_2d %0 {filter = array<i64: 3, 3>, strides = array<i64: 2, 2>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x7x2x!min>) -> tensor<1x3x3x2x!min>
  return %1 : tensor<1x3x3x2x!min>
}

// -5 wins over -6, and 0.0 over -1.0.
// CHECK-LABEL: func.func @max_pool_border_wins
func.func @max_pool_border_wins(%x: tensor<1x6x6x2x!q>, %y: tensor<1x6x6x2xf32>)
    -> (tensor<1x3x3x2x!q>, tensor<1x3x3x2xf32>) {
  // CHECK: nn.pad
  // CHECK: nn.pad
  %0 = nn.pad %x {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x6x2x!q>) -> tensor<1x7x7x2x!q>
  %1 = nn.max_pool_2d %0 {filter = array<i64: 3, 3>, strides = array<i64: 2, 2>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x7x2x!q>) -> tensor<1x3x3x2x!q>
  %2 = nn.pad %y {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x6x2xf32>) -> tensor<1x7x7x2xf32>
  %3 = nn.max_pool_2d %2 {filter = array<i64: 3, 3>, strides = array<i64: 2, 2>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  return %1, %3 : tensor<1x3x3x2x!q>, tensor<1x3x3x2xf32>
}

// Floats after RELU are not negative.
// CHECK-LABEL: func.func @max_pool_relu
func.func @max_pool_relu(%x: tensor<1x6x6x2xf32>) -> tensor<1x3x3x2xf32> {
  // CHECK-NEXT: %[[R:.*]] = nn.relu %arg0
  // CHECK-NEXT: nn.max_pool_2d %[[R]] {{.*}}padding = array<i64: 1, 1, 0, 0>
  %0 = nn.relu %x : (tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  %1 = nn.pad %0 {before = array<i64: 0, 1, 1, 0>, after = array<i64: 0, 0, 0, 0>}
      : (tensor<1x6x6x2xf32>) -> tensor<1x7x7x2xf32>
  %2 = nn.max_pool_2d %1 {filter = array<i64: 3, 3>, strides = array<i64: 2, 2>,
      padding = array<i64: 0, 0, 0, 0>} : (tensor<1x7x7x2xf32>) -> tensor<1x3x3x2xf32>
  return %2 : tensor<1x3x3x2xf32>
}
