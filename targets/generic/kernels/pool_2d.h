// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of the AVERAGE_POOL_2D and MAX_POOL_2D row kernels, shared by host
// and device. No data blobs. Every window has a tap inside the image.
#pragma once

#include <stdint.h>

struct aotc_pool_2d_shape {
  int32_t in_w, channels; ///< pixels of an input row, channels of a pixel
  int32_t out_w;
  int32_t filter_h, filter_w;
  int32_t stride_h, stride_w;
  int32_t pad_left; ///< pixels
  int32_t padded;   ///< some tap lies outside the image, in a row or column
};

struct aotc_pool_2d_s8_layer {
  int32_t act_min, act_max;
};

struct aotc_pool_2d_f32_layer {
  int32_t act_min_bits, act_max_bits;
};
