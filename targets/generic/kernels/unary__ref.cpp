// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One operand, element by element: any function of 8-bit values as a table,
// RELU and RELU6 as a clamp, LOGISTIC, QUANTIZE and DEQUANTIZE.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/math.h"
#include "targets/generic/kernels/table_s8.h"

/// out[i] = op(in[i]) in the direction that the overlap contract needs.
template <typename In, typename Out, typename Op>
static AOTC_INLINE void walk(const In *in, Out *out, int32_t count, int32_t descending, Op op) {
  if (descending) {
    for (int32_t i = count; i-- > 0;)
      out[i] = op(in[i]);
  } else {
    for (int32_t i = 0; i < count; ++i)
      out[i] = op(in[i]);
  }
}

/// data[0]: the table.
AOTC_KERNEL_FN(aotc_table_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_no_layer);
  aotc_look_up(static_cast<const uint8_t *>(data[0]), static_cast<const uint8_t *>(in[0]),
               static_cast<uint8_t *>(out[0]), shape.count, descending);
}

AOTC_KERNEL_FN(aotc_clamp_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_float_clamp_layer);
  float min = aotc_float_of_bits(layer.min), max = aotc_float_of_bits(layer.max);
  walk(static_cast<const float *>(in[0]), static_cast<float *>(out[0]), shape.count, descending,
       [=](float x) { return aotc_clamp_f32(x, min, max); });
}

/// 1 / (1 + e^-x); the exponential of -|x| neither overflows nor loses digits.
AOTC_KERNEL_FN(aotc_logistic_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_no_layer);
  walk(static_cast<const float *>(in[0]), static_cast<float *>(out[0]), shape.count, descending,
       [](float x) {
         float e = aotc_expf(x < 0 ? x : -x);
         return (x < 0 ? e : 1.0f) / (1.0f + e);
       });
}

template <typename Out>
static AOTC_INLINE void quantize(const float *in, Out *out, int32_t count,
                                 const aotc_quantize_layer &layer, int32_t descending) {
  float scale = aotc_float_of_bits(layer.scale);
  walk(in, out, count, descending, [&](float x) {
    return (Out)aotc_clamp(aotc_round_saturate(x / scale) + layer.zero_point, layer.min, layer.max);
  });
}

/// Also for uint8: the clamp decides which byte it is.
AOTC_KERNEL_FN(aotc_quantize_f32_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_quantize_layer);
  quantize(static_cast<const float *>(in[0]), static_cast<int8_t *>(out[0]), shape.count, layer,
           descending);
}

AOTC_KERNEL_FN(aotc_quantize_f32_s16__ref) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_quantize_layer);
  quantize(static_cast<const float *>(in[0]), static_cast<int16_t *>(out[0]), shape.count, layer,
           descending);
}

template <typename In>
static AOTC_INLINE void dequantize(const In *in, float *out, const aotc_dequantize_shape &shape,
                                   const float *scales, const int32_t *zero_points,
                                   int32_t descending) {
  int32_t block = descending ? shape.outer * shape.channels : 0;
  for (int32_t i = 0; i < shape.outer; ++i) {
    for (int32_t j = 0; j < shape.channels; ++j) {
      int32_t c = descending ? shape.channels - 1 - j : j;
      block -= descending ? 1 : 0;
      int32_t at = block * shape.inner;
      float scale = scales[c];
      int32_t zero_point = zero_points[c];
      // At most 17 bits times 24: rounded once, as the double product of the
      // reference is.
      walk(in + at, out + at, shape.inner, descending,
           [=](In x) { return scale * (float)(x - zero_point); });
      block += descending ? 0 : 1;
    }
  }
}

AOTC_KERNEL_FN(aotc_dequantize_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_dequantize_shape, aotc_no_layer);
  dequantize(static_cast<const int8_t *>(in[0]), static_cast<float *>(out[0]), shape,
             static_cast<const float *>(data[0]), static_cast<const int32_t *>(data[1]),
             descending);
}

AOTC_KERNEL_FN(aotc_dequantize_u8__ref) {
  AOTC_KERNEL_ARGS(aotc_dequantize_shape, aotc_no_layer);
  dequantize(static_cast<const uint8_t *>(in[0]), static_cast<float *>(out[0]), shape,
             static_cast<const float *>(data[0]), static_cast<const int32_t *>(data[1]),
             descending);
}

AOTC_KERNEL_FN(aotc_dequantize_s16__ref) {
  AOTC_KERNEL_ARGS(aotc_dequantize_shape, aotc_no_layer);
  dequantize(static_cast<const int16_t *>(in[0]), static_cast<float *>(out[0]), shape,
             static_cast<const float *>(data[0]), static_cast<const int32_t *>(data[1]),
             descending);
}
