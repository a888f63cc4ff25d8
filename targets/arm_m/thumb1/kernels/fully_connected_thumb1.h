// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED for Armv6-M, shared by host and device.
#pragma once

#include "targets/arm_m/thumb1/kernels/thumb1_stream.h"

struct aotc_fully_connected_thumb1_shape {
  int32_t copied; ///< in_c is no multiple of 8: scratch has a row, rounded up
  int32_t tail;
};

/// data: per group of four channels u, v, s, t: first `all` and `high` of u, v and
/// of s, t; per two inputs the bytes 128 + (u0, u1, v0, v1), (s0, s1, t0, t1);
/// four tails.
struct aotc_fully_connected_thumb1_layer {
  int32_t rows, in_c, out_c;
};

/// Words of a group.
static inline int32_t aotc_fully_connected_thumb1_words(int32_t in_c, int32_t tail) {
  return 4 + in_c + 4 * aotc_thumb1_tail_words(tail);
}
