// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVERAGE_POOL_2D and MAX_POOL_2D, int8 and float32. One loop over channels
// and taps; the reductions differ. Padding is skipped.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/pool_2d.h"

namespace {

struct average_s8 {
  using element = int8_t;
  int32_t min, max;
  explicit average_s8(const aotc_pool_2d_s8_layer &layer)
      : min(layer.act_min), max(layer.act_max) {}
  static int32_t first() { return 0; }
  static int32_t next(int32_t sum, int8_t x) { return aotc_wrap((uint32_t)sum + (uint32_t)x); }
  /// Halves away from zero. A window without padding divides by a constant.
  int8_t last(int32_t sum, int32_t count, int32_t full) const {
    return (int8_t)aotc_clamp(count == full ? divide(sum, full) : divide(sum, count), min, max);
  }
  static int32_t divide(int32_t sum, int32_t count) {
    return (sum + (sum > 0 ? count / 2 : -(count / 2))) / count;
  }
};

struct max_s8 {
  using element = int8_t;
  int32_t min, max;
  explicit max_s8(const aotc_pool_2d_s8_layer &layer) : min(layer.act_min), max(layer.act_max) {}
  static int32_t first() { return INT8_MIN; }
  static int32_t next(int32_t best, int8_t x) { return x > best ? x : best; }
  int8_t last(int32_t best, int32_t, int32_t) const { return (int8_t)aotc_clamp(best, min, max); }
};

struct float_bounds {
  float min, max;
  explicit float_bounds(const aotc_pool_2d_f32_layer &layer)
      : min(aotc_float_of_bits(layer.act_min_bits)), max(aotc_float_of_bits(layer.act_max_bits)) {}
};

struct average_f32 : float_bounds {
  using element = float;
  using float_bounds::float_bounds;
  static float first() { return 0; }
  static float next(float sum, float x) { return sum + x; }
  float last(float sum, int32_t count, int32_t) const {
    return aotc_clamp_f32(sum / (float)count, min, max);
  }
};

struct max_f32 : float_bounds {
  using element = float;
  using float_bounds::float_bounds;
  static float first() { return -__FLT_MAX__; }
  static float next(float best, float x) { return best < x ? x : best; }
  float last(float best, int32_t, int32_t) const { return aotc_clamp_f32(best, min, max); }
};

template <typename Reduction>
inline void pool(const aotc_pool_2d_shape &shape, const Reduction reduction, const void *const *in,
                 void *const *out, int32_t rows, int32_t descending) {
  using element = typename Reduction::element;
  auto pixel = [&](const aotc_pool_window &window, element *to) AOTC_INLINED {
    const int32_t count = window.rows_present * window.columns;
    for (int32_t k = 0; k < shape.channels; ++k) {
      const int32_t c = aotc_directed(k, shape.channels, descending);
      auto value = Reduction::first();
      for (int32_t ky = 0; ky < shape.filter_h; ++ky) {
        const element *row = static_cast<const element *>(window.rows[ky]);
        if (shape.padded && !row)
          continue;
        for (int32_t kx = 0; kx < window.columns; ++kx)
          value = Reduction::next(value, row[window.first + kx * shape.channels + c]);
      }
      to[c] = reduction.last(value, count, shape.filter_h * shape.filter_w);
    }
  };
  aotc_pool_walk<element>(shape, in, out, rows, descending, pixel);
}

} // namespace

AOTC_KERNEL_FN(aotc_average_pool_2d_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  pool(shape, average_s8(layer), in, out, rows, descending);
}

AOTC_KERNEL_FN(aotc_average_pool_2d_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_f32_layer);
  pool(shape, average_f32(layer), in, out, rows, descending);
}

AOTC_KERNEL_FN(aotc_max_pool_2d_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  pool(shape, max_s8(layer), in, out, rows, descending);
}

AOTC_KERNEL_FN(aotc_max_pool_2d_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_f32_layer);
  pool(shape, max_f32(layer), in, out, rows, descending);
}
