// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEAN over any axes, int8 and float32. Sums run in the order of the operand's
// elements, as the reference's do.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/math.h"
#include "targets/generic/kernels/reduce.h"

template <int Dim, typename T, typename Sum>
static inline __attribute__((always_inline)) void
add_up(const aotc_mean_shape &shape, const T *in, int32_t at, Sum &sum) {
  for (int32_t i = 0; i < shape.reduce[Dim]; ++i) {
    if constexpr (Dim + 1 < AOTC_MEAN_RANK)
      add_up<Dim + 1>(shape, in, at, sum);
    else
      sum += (Sum)in[at];
    at += shape.reduce_stride[Dim];
  }
}

/// *out++ = finish(sum) for every element that stays.
template <int Dim, typename Sum, typename T, typename Finish>
static inline __attribute__((always_inline)) void
mean(const aotc_mean_shape &shape, const T *in, int32_t at, T *&out,
     Finish finish) {
  for (int32_t i = 0; i < shape.keep[Dim]; ++i) {
    if constexpr (Dim + 1 < AOTC_MEAN_RANK) {
      mean<Dim + 1, Sum>(shape, in, at, out, finish);
    } else {
      Sum sum = 0;
      add_up<0>(shape, in, at, sum);
      *out++ = finish(sum);
    }
    at += shape.keep_stride[Dim];
  }
}

AOTC_KERNEL_FN(aotc_mean_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_s8_layer);
  int8_t *to = static_cast<int8_t *>(out[0]);
  mean<0, int32_t>(
      shape, static_cast<const int8_t *>(in[0]), 0, to, [&](int32_t sum) {
        int32_t result =
            aotc_wrap((uint32_t)aotc_multiply(sum + layer.offset,
                                              layer.mantissa, layer.shift) +
                      (uint32_t)layer.out_zero_point);
        return (int8_t)aotc_clamp(result, -128, 127);
      });
}

AOTC_KERNEL_FN(aotc_mean_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_f32_layer);
  float elements = aotc_float_of_bits(layer.elements);
  float *to = static_cast<float *>(out[0]);
  mean<0, float>(shape, static_cast<const float *>(in[0]), 0, to,
                 [=](float sum) { return sum / elements; });
}
