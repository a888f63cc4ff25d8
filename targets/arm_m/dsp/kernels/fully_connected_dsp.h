// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED for Armv7E-M, shared by host and device.
#pragma once

#include "targets/arm_m/dsp/kernels/dsp_stream.h"

struct aotc_fully_connected_dsp_shape {
  int32_t turn;     ///< inputs per turn of the loop: 16 or 8
  int32_t copied;   ///< in_c is no multiple of 8: scratch has a row, rounded up
  int32_t tail, up; ///< aotc_dsp_tail, its shift
};

/// data: the stream in groups of eight; aotc_dsp_general: bias, multipliers.
struct aotc_fully_connected_dsp_layer {
  int32_t rows, in_c, out_c;
  int32_t per_channel, out_zero_point, act_min, act_max; ///< aotc_dsp_general
};
