// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED for Armv8.1-M with Helium, shared by host and device.
#pragma once

#include "targets/arm_m/mve/kernels/mve_stream.h"

struct aotc_fully_connected_mve_shape {
  int32_t steps;  ///< the body: 1 ... 4 steps of 16 inputs; 5 ... 8: so many less 4, and 4 per turn
  int32_t copied; ///< in_c is below 16: scratch has the row
  int32_t tail;
};

/// data: the stream in groups of eight. The first step has in_c % 16 inputs, if
/// that is not 0.
struct aotc_fully_connected_mve_layer {
  int32_t rows, in_c, out_c;
  int32_t turns;
  int32_t stream_bytes;
  aotc_mve_output output;
};
