// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the float FULLY_CONNECTED for a scalar FPU (flat), shared by
// host and device.
#pragma once

#include <stdint.h>

enum { AOTC_FPU_OUTPUTS = 8 };

/// data: for each eight outputs biases, then weights, for each input eight
/// outputs, absent ones 0.
struct aotc_fully_connected_fpu_layer {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
  int32_t act_min_bits, act_max_bits;
};
