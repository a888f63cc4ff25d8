// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8 and float32: one dot product per output. Integer sums
// wrap.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/generic/kernels/window.h"

AOTC_KERNEL_FN(aotc_fully_connected_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_shape, aotc_fully_connected_s8_layer);
  const int32_t *bias = static_cast<const int32_t *>(data[0]);
  const aotc_multiplier *multipliers = static_cast<const aotc_multiplier *>(data[1]);
  const int8_t *weights = static_cast<const int8_t *>(shape.constant_weights ? data[2] : in[1]);
  const int32_t x_zero = layer.in_zero_point;
  const int32_t w_zero = layer.weights_zero_point;

  for (int32_t i = 0; i < shape.rows; ++i) {
    const int32_t r = aotc_directed(i, shape.rows, descending);
    const int8_t *x = static_cast<const int8_t *>(in[0]) + r * shape.in_c;
    int8_t *y = static_cast<int8_t *>(out[0]) + r * shape.out_c;
    for (int32_t j = 0; j < shape.out_c; ++j) {
      const int32_t c = aotc_directed(j, shape.out_c, descending);
      const int8_t *w = weights + c * shape.in_c;
      uint32_t sum = (uint32_t)bias[c];
      if (shape.offsets)
        for (int32_t k = 0; k < shape.in_c; ++k)
          sum += (uint32_t)((x[k] - x_zero) * (w[k] - w_zero));
      else
        for (int32_t k = 0; k < shape.in_c; ++k)
          sum += (uint32_t)(x[k] * w[k]);
      y[c] = aotc_requantize_s8(sum, multipliers[shape.per_channel ? c : 0], shape.left_shift,
                                layer.out_zero_point, layer.act_min, layer.act_max);
    }
  }
}

AOTC_KERNEL_FN(aotc_fully_connected_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_shape, aotc_fully_connected_f32_layer);
  const float *bias = shape.has_bias ? static_cast<const float *>(data[0]) : nullptr;
  const float *weights =
      static_cast<const float *>(shape.constant_weights ? data[shape.has_bias] : in[1]);
  const float min = aotc_float_of_bits(layer.act_min_bits);
  const float max = aotc_float_of_bits(layer.act_max_bits);

  for (int32_t i = 0; i < shape.rows; ++i) {
    const int32_t r = aotc_directed(i, shape.rows, descending);
    const float *x = static_cast<const float *>(in[0]) + r * shape.in_c;
    float *y = static_cast<float *>(out[0]) + r * shape.out_c;
    for (int32_t j = 0; j < shape.out_c; ++j) {
      const int32_t c = aotc_directed(j, shape.out_c, descending);
      const float *w = weights + c * shape.in_c;
      float sum = 0;
      for (int32_t k = 0; k < shape.in_c; ++k)
        sum += x[k] * w[k];
      if (shape.has_bias)
        sum += bias[c];
      y[c] = aotc_clamp_f32(sum, min, max);
    }
  }
}
