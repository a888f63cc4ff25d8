// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of any number of bytes by predicated vectors: what lies behind them is
// neither read nor written.
#pragma once

#include "targets/generic/kernels/inline.h"

#include <arm_mve.h>
#include <stdint.h>

/// count may be 0 or less: nothing is copied.
static AOTC_INLINE void aotc_mve_copy(int8_t *to, const int8_t *from, int32_t count) {
#pragma clang loop unroll(disable)
  for (; count > 0; count -= 16, to += 16, from += 16) {
    const mve_pred16_t some = vctp8q((uint32_t)count);
    vstrbq_p_s8(to, vldrbq_z_s8(from, some), some);
  }
}

static AOTC_INLINE void aotc_mve_fill(int8_t *to, int32_t value, int32_t count) {
  const int8x16_t values = vdupq_n_s8((int8_t)value);
#pragma clang loop unroll(disable)
  for (; count > 0; count -= 16, to += 16)
    vstrbq_p_s8(to, values, vctp8q((uint32_t)count));
}
