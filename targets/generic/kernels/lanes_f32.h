// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The float32 operators without weights, N lanes at a time (lanes.h); the
// order of the operations on each element is that of the portable kernels, and so
// are parameters, overlap distances (elements are read no later) and the bits. Vectors
// of Armv7-A and Helium take denormals for 0. Device code only; the macros at the end
// define a level's kernels.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/binary_lanes.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/math.h"
#include "targets/generic/kernels/pool_2d.h"
#include "targets/generic/kernels/reduce.h"

namespace {

template <int32_t N> AOTC_INLINE float_range<N> range_of(int32_t min_bits, int32_t max_bits) {
  return {aotc_float_of_bits(min_bits), aotc_float_of_bits(max_bits)};
}

/// out = op(in)
template <int32_t N, typename Op>
AOTC_INLINE void map_floats(const void *in, void *out, int32_t count, int32_t descending,
                            const Op &op) {
  const auto *x = static_cast<const float *>(in);
  auto *y = static_cast<float *>(out);
  for_lanes<N>(count, descending, [&](int32_t at, auto lanes) AOTC_INLINED {
    store_lanes<N>(y + at, op(load_lanes<N>(x + at, lanes)), lanes);
  });
}

/// out = op(lhs, rhs) with broadcasting. An operand that the innermost loop repeats
/// is read before it.
template <int32_t N, typename Op>
AOTC_INLINE void combine_floats(const aotc_binary_shape &shape, const aotc_float_clamp_layer &layer,
                                const void *const *in, void *out, int32_t descending,
                                const Op &op) {
  const float_range<N> range = range_of<N>(layer.min, layer.max);
  const binary_run run(shape);
  auto combine = [&](const float *lhs, const float *rhs, float *y) AOTC_INLINED {
    const floats<N> one_lhs = all_lanes<N>(*lhs), one_rhs = all_lanes<N>(*rhs);
    for_lanes<N>(run.size, descending, [&](int32_t at, auto lanes) AOTC_INLINED {
      const floats<N> a = run.lhs_walks ? load_lanes<N>(lhs + at, lanes) : one_lhs;
      const floats<N> b = run.rhs_walks ? load_lanes<N>(rhs + at, lanes) : one_rhs;
      store_lanes<N>(y + at, range.clamp(op(a, b)), lanes);
    });
  };
  for_runs(shape, static_cast<const float *>(in[0]), static_cast<const float *>(in[1]),
           static_cast<float *>(out), descending, combine);
}

/// 1 / (1 + e^-x), as aotc_logistic_f32__ref.
template <int32_t N> AOTC_INLINE floats<N> logistic(floats<N> x) {
  const floats<N> zero = {}, one = all_lanes<N>(1.0f);
  const floats<N> e = aotc_expf(x < zero ? x : -x);
  return (x < zero ? e : one) / (one + e);
}

template <int32_t N>
AOTC_INLINE void softmax(const aotc_softmax_shape &shape, float beta, const void *in, void *out,
                         int32_t descending) {
  for (int32_t n = 0; n < shape.rows; ++n) {
    const int32_t row = aotc_directed(n, shape.rows, descending) * shape.depth;
    const float *from = static_cast<const float *>(in) + row;
    float *to = static_cast<float *>(out) + row;
    // A NaN, which the order of comparisons may hide, makes all results one.
    float max = from[0];
    int32_t done = 0;
    if (shape.depth >= N) {
      floats<N> most = load_lanes<N>(from);
      for (done = N; done + N <= shape.depth; done += N) {
        const floats<N> x = load_lanes<N>(from + done);
        most = x > most ? x : most;
      }
#pragma clang loop unroll(full)
      for (int32_t i = 0; i < N; ++i)
        max = most[i] > max ? most[i] : max;
    }
    for (; done < shape.depth; ++done)
      max = from[done] > max ? from[done] : max;
    map_floats<N>(from, to, shape.depth, descending,
                  [&](floats<N> x) AOTC_INLINED { return aotc_expf((x - max) * beta); });
    float sum = 0;
    for (int32_t i = 0; i < shape.depth; ++i)
      sum += to[i];
    map_floats<N>(to, to, shape.depth, 0, [&](floats<N> x) AOTC_INLINED { return x / sum; });
  }
}

/// `sum` and the elements of one result from `in` on, for the results of the
/// innermost axis that stays, one per lane.
template <int32_t N, int Dim = 0, typename Lanes>
AOTC_INLINE void add_up(const aotc_mean_shape &shape, const float *in, Lanes lanes,
                        floats<N> &sum) {
  for (int32_t i = 0; i < shape.reduce[Dim]; ++i, in += shape.reduce_stride[Dim]) {
    if constexpr (Dim + 1 < AOTC_MEAN_RANK)
      add_up<N, Dim + 1>(shape, in, lanes, sum);
    else
      sum = sum + load_lanes<N>(in, lanes);
  }
}

/// MEAN whose innermost axis stays.
template <int32_t N, int Dim = 0>
AOTC_INLINE void mean(const aotc_mean_shape &shape, float elements, const float *in, float *out,
                      int32_t descending) {
  const int32_t keep = shape.keep[Dim];
  if constexpr (Dim + 1 < AOTC_MEAN_RANK) {
    int32_t below = 1;
#pragma clang loop unroll(full)
    for (int d = Dim + 1; d < AOTC_MEAN_RANK; ++d)
      below *= shape.keep[d];
    for (int32_t i = 0; i < keep; ++i) {
      const int32_t k = aotc_directed(i, keep, descending);
      mean<N, Dim + 1>(shape, elements, in + k * shape.keep_stride[Dim], out + k * below,
                       descending);
    }
  } else {
    for_lanes<N>(keep, descending, [&](int32_t at, auto lanes) AOTC_INLINED {
      floats<N> sum = {};
      add_up<N>(shape, in + at, lanes, sum);
      store_lanes<N>(out + at, sum / elements, lanes);
    });
  }
}

template <int32_t N> struct average_floats {
  static floats<N> first() { return {}; }
  static floats<N> next(floats<N> sum, floats<N> x) { return sum + x; }
  static floats<N> last(floats<N> sum, int32_t count) { return sum / (float)count; }
};

template <int32_t N> struct maximum_floats {
  static floats<N> first() { return all_lanes<N>(-__FLT_MAX__); }
  static floats<N> next(floats<N> best, floats<N> x) { return best < x ? x : best; }
  static floats<N> last(floats<N> best, int32_t) { return best; }
};

/// Padding is skipped.
template <int32_t N, typename Reduction>
AOTC_INLINE void pool(const aotc_pool_2d_shape &shape, const aotc_pool_2d_f32_layer &layer,
                      const void *const *in, void *const *out, int32_t rows, int32_t descending) {
  const float_range<N> range = range_of<N>(layer.act_min_bits, layer.act_max_bits);
  const int32_t channels = shape.channels;
  auto pixel = [&](const aotc_pool_window &window, float *to) AOTC_INLINED {
    for_lanes<N>(channels, descending, [&](int32_t c, auto lanes) AOTC_INLINED {
      floats<N> value = Reduction::first();
      for (int32_t ky = 0; ky < shape.filter_h; ++ky) {
        const auto *row = static_cast<const float *>(window.rows[ky]);
        if (shape.padded && !row)
          continue;
        row += window.first + c;
        for (int32_t kx = 0; kx < window.columns; ++kx, row += channels)
          value = Reduction::next(value, load_lanes<N>(row, lanes));
      }
      const int32_t count = window.rows_present * window.columns;
      store_lanes<N>(to + c, range.clamp(Reduction::last(value, count)), lanes);
    });
  };
  aotc_pool_walk<float>(shape, in, out, rows, descending, pixel);
}

} // namespace

/// The kernels of a level, but those with exponentials.
#define AOTC_LANES_F32(level, N)                                                                   \
  AOTC_KERNEL_FN(aotc_add_f32__##level) {                                                          \
    AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_float_clamp_layer);                                   \
    combine_floats<N>(shape, layer, in, out[0], descending,                                        \
                      [](floats<N> lhs, floats<N> rhs) AOTC_INLINED { return lhs + rhs; });        \
  }                                                                                                \
  AOTC_KERNEL_FN(aotc_mul_f32__##level) {                                                          \
    AOTC_KERNEL_ARGS(aotc_binary_shape, aotc_float_clamp_layer);                                   \
    combine_floats<N>(shape, layer, in, out[0], descending,                                        \
                      [](floats<N> lhs, floats<N> rhs) AOTC_INLINED { return lhs * rhs; });        \
  }                                                                                                \
  AOTC_KERNEL_FN(aotc_clamp_f32__##level) {                                                        \
    AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_float_clamp_layer);                                    \
    const float_range<N> range = range_of<N>(layer.min, layer.max);                                \
    map_floats<N>(in[0], out[0], shape.count, descending,                                          \
                  [&](floats<N> x) AOTC_INLINED { return range.clamp(x); });                       \
  }                                                                                                \
  AOTC_KERNEL_FN(aotc_mean_f32__##level) {                                                         \
    AOTC_KERNEL_ARGS(aotc_mean_shape, aotc_mean_f32_layer);                                        \
    mean<N>(shape, aotc_float_of_bits(layer.elements), static_cast<const float *>(in[0]),          \
            static_cast<float *>(out[0]), descending);                                             \
  }                                                                                                \
  AOTC_KERNEL_FN(aotc_average_pool_2d_f32__##level) {                                              \
    AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_f32_layer);                                  \
    pool<N, average_floats<N>>(shape, layer, in, out, rows, descending);                           \
  }                                                                                                \
  AOTC_KERNEL_FN(aotc_max_pool_2d_f32__##level) {                                                  \
    AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_f32_layer);                                  \
    pool<N, maximum_floats<N>>(shape, layer, in, out, rows, descending);                           \
  }

/// SOFTMAX and LOGISTIC of a level.
#define AOTC_EXPONENTIALS_F32(level, N)                                                            \
  AOTC_KERNEL_FN(aotc_logistic_f32__##level) {                                                     \
    AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_no_layer);                                             \
    map_floats<N>(in[0], out[0], shape.count, descending,                                          \
                  [](floats<N> x) AOTC_INLINED { return logistic<N>(x); });                        \
  }                                                                                                \
  AOTC_KERNEL_FN(aotc_softmax_f32__##level) {                                                      \
    AOTC_KERNEL_ARGS(aotc_softmax_shape, aotc_softmax_f32_layer);                                  \
    softmax<N>(shape, aotc_float_of_bits(layer.beta), in[0], out[0], descending);                  \
  }
