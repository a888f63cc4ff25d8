// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEAN over any axes, int8 and float32. Sums run in the order of the operand's
// elements, as the reference's do; results are written in either direction.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/math.h"
#include "targets/generic/kernels/mean_s8.h"
#include "targets/generic/kernels/reduce.h"

template <int Dim, typename T, typename Sum>
static AOTC_INLINE void add_up(const aotc_mean_shape &shape, const T *in, int32_t at, Sum &sum) {
  for (int32_t i = 0; i < shape.reduce[Dim]; ++i) {
    if constexpr (Dim + 1 < AOTC_MEAN_RANK)
      add_up<Dim + 1>(shape, in, at, sum);
    else
      sum += (Sum)in[at];
    at += shape.reduce_stride[Dim];
  }
}

/// One result after the other for every element that stays, the first (the
/// last, if descending) of which is at in[at] and goes to out[to].
template <int Dim, typename Sum, typename T, typename Finish>
static AOTC_INLINE void mean(const aotc_mean_shape &shape, const T *in, int32_t at, T *out,
                             int32_t &to, int32_t step, Finish finish) {
  for (int32_t i = 0; i < shape.keep[Dim]; ++i) {
    if constexpr (Dim + 1 < AOTC_MEAN_RANK) {
      mean<Dim + 1, Sum>(shape, in, at, out, to, step, finish);
    } else {
      Sum sum = 0;
      add_up<0>(shape, in, at, sum);
      out[to] = finish(sum);
      to += step;
    }
    at += step * shape.keep_stride[Dim];
  }
}

template <typename Sum, typename T, typename Finish>
static AOTC_INLINE void mean_of(const aotc_mean_shape &shape, const void *in, void *out,
                                int32_t descending, Finish finish) {
  int32_t at = 0, to = 0;
  if (descending) {
    to = 1;
    for (int d = 0; d < AOTC_MEAN_RANK; ++d) {
      at += (shape.keep[d] - 1) * shape.keep_stride[d];
      to *= shape.keep[d];
    }
    --to;
  }
  mean<0, Sum>(shape, static_cast<const T *>(in), at, static_cast<T *>(out), to,
               descending ? -1 : 1, finish);
}

AOTC_KERNEL_FN(aotc_mean_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_s8_layer);
  mean_of<int32_t, int8_t>(shape, in[0], out[0], descending,
                           [&](int32_t sum) { return aotc_mean_s8(sum, layer); });
}

AOTC_KERNEL_FN(aotc_mean_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_f32_layer);
  float elements = aotc_float_of_bits(layer.elements);
  mean_of<float, float>(shape, in[0], out[0], descending,
                        [=](float sum) { return sum / elements; });
}
