// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of CONV_2D, float32, for NEON, shared by host and device.
//
// shape: aotc_pixel_block_shape; layer: aotc_conv_2d_f32_layer (targets/generic/
// kernels/conv_2d.h).
// data[0]: weights: for each group of sixteen output channels (the last: of four,
//          eight or twelve) and each element of the runs one weight of every
//          channel; absent ones are 0.
// data[1]: biases; absent ones are 0.
// scratch: floats.
#pragma once

#include "targets/generic/kernels/pixel_block.h"

enum { AOTC_CONV_2D_F32_NEON_PIXELS = 4, AOTC_CONV_2D_F32_NEON_GROUP = 16 };
