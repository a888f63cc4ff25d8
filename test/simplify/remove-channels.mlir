// RUN: aotc-opt --aotc-remove-channels=multiple=2 --aotc-remove-dead-ops -split-input-file %s | FileCheck %s
// RUN: aotc-opt --aotc-remove-channels=multiple=1 -split-input-file %s | FileCheck --check-prefix=ONE %s

!q = !quant.uniform<i8:f32, 1.0>

// Channels 1 and 3 of %0 are 5 and 7: 2 * 5 + 4 * 7 = 38 goes into the bias.
// CHECK-LABEL: @folded
func.func @folded(%x: tensor<4x1x!q>) -> tensor<4x1x!q> {
  // CHECK: %[[W:.*]] = nn.constant dense<{{\[}}[1], [2]]> : tensor<2x1xi8>
  // CHECK: %[[B:.*]] = nn.constant dense<[6, 8]> : tensor<2xi32>
  // CHECK: %[[H:.*]] = nn.fully_connected %arg0, %[[W]], %[[B]] : {{.*}} -> tensor<4x2x
  // CHECK: %[[V:.*]] = nn.constant dense<{{\[}}[1, 3]]> : tensor<1x2xi8>
  // CHECK: %[[C:.*]] = nn.constant dense<38> : tensor<1xi32>
  // CHECK: nn.fully_connected %[[H]], %[[V]], %[[C]]
  %w = nn.constant dense<[[1], [0], [2], [0]]> : tensor<4x1xi8> -> tensor<4x1x!q>
  %b = nn.constant dense<[6, 5, 8, 7]> : tensor<4xi32> -> tensor<4xi32>
  %0 = nn.fully_connected %x, %w, %b : (tensor<4x1x!q>, tensor<4x1x!q>, tensor<4xi32>) -> tensor<4x4x!q>
  %v = nn.constant dense<[[1, 2, 3, 4]]> : tensor<1x4xi8> -> tensor<1x4x!q>
  %1 = nn.fully_connected %0, %v : (tensor<4x4x!q>, tensor<1x4x!q>) -> tensor<4x1x!q>
  return %1 : tensor<4x1x!q>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>

// Nobody reads channels 0 and 2 of %0, whose RELU is no matter.
// CHECK-LABEL: @unread
func.func @unread(%x: tensor<4x1x!q>) -> tensor<4x1x!q> {
  // CHECK: nn.constant dense<{{\[}}[2], [4]]> : tensor<2x1xi8>
  // CHECK: nn.relu {{.*}} : (tensor<4x2x{{.*}}) -> tensor<4x2x
  // CHECK: nn.constant dense<{{\[}}[5, 6]]> : tensor<1x2xi8>
  %w = nn.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi8> -> tensor<4x1x!q>
  %0 = nn.fully_connected %x, %w : (tensor<4x1x!q>, tensor<4x1x!q>) -> tensor<4x4x!q>
  %1 = nn.relu %0 : (tensor<4x4x!q>) -> tensor<4x4x!q>
  %v = nn.constant dense<[[0, 5, 0, 6]]> : tensor<1x4xi8> -> tensor<1x4x!q>
  %2 = nn.fully_connected %1, %v : (tensor<4x4x!q>, tensor<1x4x!q>) -> tensor<4x1x!q>
  return %2 : tensor<4x1x!q>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>
!z = !quant.uniform<i8:f32, 1.0:-3>

// All channels of %0 are 2, those of %z are -3. Border sums of a padded convolution
// lack them, which is no matter for the zero point alone.
// CHECK-LABEL: @padded
func.func @padded(%x: tensor<1x3x3x1x!q>) -> (tensor<1x3x3x1x!q>, tensor<1x3x3x1x!q>) {
  // CHECK: nn.conv_2d {{.*}} -> tensor<1x3x3x4x!quant.uniform<i8:f32, 1.000000e+00>>
  // CHECK: nn.conv_2d {{.*}} -> tensor<1x3x3x2x!quant.uniform<i8:f32, 1.000000e+00:-3>>
  %w = nn.constant dense<0> : tensor<4x1x1x1xi8> -> tensor<4x1x1x1x!q>
  %b = nn.constant dense<2> : tensor<4xi32> -> tensor<4xi32>
  %0 = nn.conv_2d %x, %w, %b {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x3x3x1x!q>, tensor<4x1x1x1x!q>, tensor<4xi32>) -> tensor<1x3x3x4x!q>
  %z = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x3x3x1x!q>, tensor<4x1x1x1x!q>) -> tensor<1x3x3x4x!z>
  %v = nn.constant dense<1> : tensor<1x3x3x4xi8> -> tensor<1x3x3x4x!q>
  %1 = nn.conv_2d %0, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x3x3x4x!q>, tensor<1x3x3x4x!q>) -> tensor<1x3x3x1x!q>
  %2 = nn.conv_2d %z, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 1, 1, 1, 1>}
      : (tensor<1x3x3x4x!z>, tensor<1x3x3x4x!q>) -> tensor<1x3x3x1x!q>
  return %1, %2 : tensor<1x3x3x1x!q>, tensor<1x3x3x1x!q>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>
!w = !quant.uniform<i8:f32:0, {1.0, 2.0, 4.0, 8.0}>

// Channels 1 and 2 of %0 are 0, and so those of DEPTHWISE_CONV_2D at its border too;
// of the concatenation they are 1, 2, 5 and 6, of each of the four pixels.
// CHECK-LABEL: @between
func.func @between(%x: tensor<1x2x2x1x!q>) -> tensor<1x1x!q> {
  // CHECK: dense<{{\[}}[{{\[}}[1]]], [{{\[}}[4]]]]> : tensor<2x1x1x1xi8> -> {{.*}}:0, {1.000000e+00,8.000000e+00}
  // CHECK: dense<{{\[}}[{{\[}}[1, 4], [5, 8]]]]> : tensor<1x1x2x2xi8>
  // CHECK: nn.depthwise_conv_2d {{.*}} -> tensor<1x2x2x2x
  // CHECK: nn.concatenation {{.*}} -> tensor<1x2x2x4x
  // CHECK: nn.reshape {{.*}} -> tensor<1x16x
  // CHECK: dense<3> : tensor<1x16xi8>
  %w = nn.constant dense<[[[[1]]], [[[0]]], [[[0]]], [[[4]]]]> : tensor<4x1x1x1xi8> -> tensor<4x1x1x1x!w>
  %0 = nn.conv_2d %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>}
      : (tensor<1x2x2x1x!q>, tensor<4x1x1x1x!w>) -> tensor<1x2x2x4x!q>
  %d = nn.constant dense<[[[[1, 2, 3, 4], [5, 6, 7, 8]]]]> : tensor<1x1x2x4xi8> -> tensor<1x1x2x4x!q>
  %1 = nn.depthwise_conv_2d %0, %d {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      padding = array<i64: 0, 0, 0, 1>, depth_multiplier = 1 : i64}
      : (tensor<1x2x2x4x!q>, tensor<1x1x2x4x!q>) -> tensor<1x2x2x4x!q>
  %2 = nn.concatenation %0, %1 {axis = 3 : i64} : (tensor<1x2x2x4x!q>, tensor<1x2x2x4x!q>) -> tensor<1x2x2x8x!q>
  %3 = nn.reshape %2 : (tensor<1x2x2x8x!q>) -> tensor<1x32x!q>
  %v = nn.constant dense<3> : tensor<1x32xi8> -> tensor<1x32x!q>
  %4 = nn.fully_connected %3, %v : (tensor<1x32x!q>, tensor<1x32x!q>) -> tensor<1x1x!q>
  return %4 : tensor<1x1x!q>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>

// What is added to what lives stays; so do results, and what goes into an operator
// that is not understood.
// CHECK-LABEL: @kept
func.func @kept(%x: tensor<4x4x!q>) -> (tensor<4x1x!q>, tensor<4x4x!q>, tensor<4x4xf32>) {
  // CHECK-COUNT-3: nn.fully_connected {{.*}} -> tensor<4x4x
  // CHECK: nn.add {{.*}} -> tensor<4x4x
  // CHECK: nn.dequantize {{.*}} -> tensor<4x4xf32>
  %w = nn.constant dense<0> : tensor<4x4xi8> -> tensor<4x4x!q>
  %0 = nn.fully_connected %x, %w : (tensor<4x4x!q>, tensor<4x4x!q>) -> tensor<4x4x!q>
  %1 = nn.fully_connected %x, %w : (tensor<4x4x!q>, tensor<4x4x!q>) -> tensor<4x4x!q>
  %2 = nn.fully_connected %x, %w : (tensor<4x4x!q>, tensor<4x4x!q>) -> tensor<4x4x!q>
  %3 = nn.add %0, %x : (tensor<4x4x!q>, tensor<4x4x!q>) -> tensor<4x4x!q>
  %v = nn.constant dense<1> : tensor<1x4xi8> -> tensor<1x4x!q>
  %4 = nn.fully_connected %3, %v : (tensor<4x4x!q>, tensor<1x4x!q>) -> tensor<4x1x!q>
  %5 = nn.dequantize %2 : (tensor<4x4x!q>) -> tensor<4x4xf32>
  return %4, %1, %5 : tensor<4x1x!q>, tensor<4x4x!q>, tensor<4x4xf32>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>
#o = #nn.origin<index = 0, code = "FULLY_CONNECTED", tensors = [7], names = ["inner"]>

// What is left is not the file's tensor 7.
// CHECK-LABEL: @renamed
func.func @renamed(%x: tensor<4x1x!q>) -> tensor<4x1x!q> {
  // CHECK: nn.fully_connected {{.*}}tensors = [-1], names = ["inner"]
  %w = nn.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi8> -> tensor<4x1x!q>
  %0 = nn.fully_connected %x, %w {origin = #o} : (tensor<4x1x!q>, tensor<4x1x!q>) -> tensor<4x4x!q>
  %v = nn.constant dense<[[0, 5, 0, 6]]> : tensor<1x4xi8> -> tensor<1x4x!q>
  %1 = nn.fully_connected %0, %v : (tensor<4x4x!q>, tensor<1x4x!q>) -> tensor<4x1x!q>
  return %1 : tensor<4x1x!q>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>
!w = !quant.uniform<i8:f32:0, {1.0, 2.0, 4.0, 8.0}>

// One scale would count as per tensor, which FULLY_CONNECTED multiplies in float: two stay.
// ONE-LABEL: @scales
func.func @scales(%x: tensor<4x1x!q>) -> tensor<4x1x!q> {
  // ONE: dense<{{\[}}[0], [3]]> : tensor<2x1xi8> -> {{.*}}:0, {1.000000e+00,4.000000e+00}
  %w = nn.constant dense<[[1], [2], [3], [4]]> : tensor<4x1xi8> -> tensor<4x1x!w>
  %0 = nn.fully_connected %x, %w : (tensor<4x1x!q>, tensor<4x1x!w>) -> tensor<4x4x!q>
  %v = nn.constant dense<[[0, 0, 6, 0]]> : tensor<1x4xi8> -> tensor<1x4x!q>
  %1 = nn.fully_connected %0, %v : (tensor<4x4x!q>, tensor<1x4x!q>) -> tensor<4x1x!q>
  return %1 : tensor<4x1x!q>
}
