// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the convolutions on x86-64, shared by host and device.
#pragma once

#include "targets/generic/kernels/pixel_block.h"

/// A block of pixels, of which each has its elements of each run multiplied.
struct aotc_conv_2d_x86_shape : aotc_pixel_block_shape {
  int32_t requantize; ///< s8: AOTC_REQUANTIZE_*
};

/// Of a block. More registers, more pixels: each has two vectors of sums.
enum { AOTC_CONV_2D_MOST_PIXELS = 6, AOTC_CONV_2D_MOST_PIXELS_VNNI = 8 };

// s8, AVX2: layer: aotc_conv_2d_s8_layer (targets/generic/kernels/conv_2d.h).
// Output channels come in groups of 16, the last of 8 if no more are left;
// elements of a run in pairs; absent ones are 0.
// data[0]: weights, for each group, run and pair: (w[i], w[i + 1]) of each
//          channel, in the order of lanes.
// data[1]: words of the channels (requantize_s8.h).
// scratch: int16, times 4 unless AOTC_REQUANTIZE_ANY.
//
// s8, AVX-512 VNNI: groups of 32 channels, the last of 16 if no more are left;
// elements of a run in fours; absent ones are 0.
// data[0]: weights, for each group, run and four elements: (w[i] .. w[i + 3]) of each
//          channel.
// data[1]: words of each vector of 16 channels (bytes_vnni.h).
// scratch: the elements, 128 higher, as uint8.
//
// f32: layer: aotc_conv_2d_f32_layer. Groups of 2N channels for N lanes, the last of N
// if no more are left.
// data[0]: weights, for each group, run and element: w[i] of each channel.
// data[1]: biases, absent channels 0.
// scratch: floats.
