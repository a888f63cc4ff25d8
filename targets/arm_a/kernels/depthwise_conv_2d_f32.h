// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of DEPTHWISE_CONV_2D, float32, for NEON, shared by host and device.
//
// shape: aotc_pixel_block_shape; layer: aotc_conv_2d_f32_layer (targets/generic/
// kernels/conv_2d.h).
// data[0]: for each group of eight channels their biases, then eight weights for
//          every tap; absent ones are 0.
// data[1]: where in scratch the taps of a pixel are, int32.
// scratch: floats.
#pragma once

#include "targets/generic/kernels/pixel_block.h"

enum { AOTC_DEPTHWISE_F32_NEON_PIXELS = 4, AOTC_DEPTHWISE_F32_NEON_CHANNELS = 8 };
