// RUN: aotc-opt --aotc-verify-simplified -split-input-file -verify-diagnostics %s

func.func @dead(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{is still there after simplification: it has no user}}
  %0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

func.func @activation(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-error@+1 {{the operator before it can clamp}}
  %1 = nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

func.func @reshape(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{it changes nothing, or reshapes a reshape}}
  %0 = nn.reshape %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @constants() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = nn.constant dense<1.0> : tensor<2xf32> -> tensor<2xf32>
  // expected-error@+1 {{it equals another constant}}
  %1 = nn.constant dense<1.0> : tensor<2xf32> -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// -----

func.func @computable() -> tensor<2xf32> {
  %0 = nn.constant dense<1.0> : tensor<2xf32> -> tensor<2xf32>
  // expected-error@+1 {{it depends on constants only}}
  %1 = nn.add %0, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>

func.func @channels(%x: tensor<4x1x!q>) -> tensor<4x1x!q> {
  %w = nn.constant dense<0> : tensor<16x1xi8> -> tensor<16x1x!q>
  // expected-error@+1 {{it has channels that are constant or that nobody reads}}
  %0 = nn.fully_connected %x, %w : (tensor<4x1x!q>, tensor<16x1x!q>) -> tensor<4x16x!q>
  %v = nn.constant dense<1> : tensor<1x16xi8> -> tensor<1x16x!q>
  %1 = nn.fully_connected %0, %v : (tensor<4x16x!q>, tensor<1x16x!q>) -> tensor<4x1x!q>
  return %1 : tensor<4x1x!q>
}

// -----

!q = !quant.uniform<i8:f32, 1.0>

func.func @tables(%x: tensor<4x!q>) -> tensor<4x!q> {
  %0 = nn.relu %x : (tensor<4x!q>) -> tensor<4x!q>
  // expected-error@+1 {{it and the operator before it are one function of bytes}}
  %1 = nn.logistic %0 : (tensor<4x!q>) -> tensor<4x!q>
  return %1 : tensor<4x!q>
}
