// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED for Armv7-M, shared by host and device.
#pragma once

#include "targets/arm_m/thumb2/kernels/thumb2_stream.h"

/// Channels computed together, and inputs per turn of the loop.
static constexpr int32_t aotc_fully_connected_thumb2_group = 8,
                         aotc_fully_connected_thumb2_turn = 8;

struct aotc_fully_connected_thumb2_shape {
  int32_t copied;   ///< in_c is no multiple of the turn: scratch has a row, rounded up
  int32_t tail, up; ///< aotc_thumb2_tail, its shift
};

/// data: the stream, per group of eight channels c: per input two words, weights
/// plus 128 of c0 c2 c1 c3 and of c4 c6 c5 c7, 0 where there are none; the tails of
/// thumb2_stream.h. aotc_thumb2_general: bias - 128 * sum of weights, multipliers.
struct aotc_fully_connected_thumb2_layer {
  int32_t rows, in_c, out_c;
  int32_t per_channel, out_zero_point, act_min, act_max; ///< aotc_thumb2_general
};
