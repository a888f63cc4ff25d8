// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device side: one result of the int8 MEAN.
#pragma once

#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/reduce.h"

/// Of the sum of the elements.
static inline int8_t aotc_mean_s8(int32_t sum, const aotc_mean_s8_layer &layer) {
  const int32_t result =
      aotc_wrap((uint32_t)aotc_multiply(sum + layer.offset, layer.mantissa, layer.shift) +
                (uint32_t)layer.out_zero_point);
  return (int8_t)aotc_clamp(result, -128, 127);
}
