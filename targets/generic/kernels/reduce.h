// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of SOFTMAX and MEAN.
#pragma once

#include <stdint.h>

/// SOFTMAX along the last axis; int8: softmax_s8.h.
struct aotc_softmax_shape {
  int32_t rows, depth;
};
struct aotc_softmax_f32_layer {
  int32_t beta; ///< float bits
};

enum { AOTC_MEAN_RANK = 4 };

/// MEAN: loops over the axes that stay and, inside, over those that are
/// averaged; outermost first, neighbours merged, unused ones of size 1; strides
/// of the operand in elements. Results are written one after the other.
struct aotc_mean_shape {
  int32_t keep[AOTC_MEAN_RANK], keep_stride[AOTC_MEAN_RANK];
  int32_t reduce[AOTC_MEAN_RANK], reduce_stride[AOTC_MEAN_RANK];
};
/// int8. The multiplier holds the ratio of the scales and 1 / elements.
struct aotc_mean_s8_layer {
  int32_t offset; ///< added to the sum: -zero point * elements
  int32_t mantissa, shift;
  int32_t out_zero_point;
};
struct aotc_mean_f32_layer {
  int32_t elements; ///< float bits
};
