// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the 1x1 convolution for AVX2, shared by host and device.
#pragma once

#include <stdint.h>

struct aotc_conv_2d_1x1_avx2_shape {
  int32_t pixels; ///< of an output row
  int32_t in_c, out_c;
  int32_t stride_w; ///< input pixels between two that are read
  int32_t stride_h; ///< input rows between two that are read
};

// layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
//
// Output channels come in groups of 8, input channels in pairs; absent ones
// are 0.
// data[0]: weights, for each group and pair 16 bytes: (w[c], w[c + 1]) of
//          channel 0, of channel 1, …
// data[1]: for each group 8 biases (input zero point folded in), 8 mantissas,
//          8 left shifts, 8 right shifts.
// scratch: 4 pixels of int16, in_c rounded up to even each.
