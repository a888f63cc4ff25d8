// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED, float32, for NEON (flat), shared by host and
// device.
//
// layer: aotc_fully_connected_f32_layer (targets/generic/kernels/
// fully_connected.h).
// data[0]: for each group of 32 outputs (the last: a multiple of four) the biases,
//          then for each input one weight of every output; absent ones are 0.
#pragma once

#include <stdint.h>

struct aotc_fully_connected_f32_neon_shape {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
};

/// Outputs computed together.
enum { AOTC_FULLY_CONNECTED_F32_NEON_GROUP = 32 };
