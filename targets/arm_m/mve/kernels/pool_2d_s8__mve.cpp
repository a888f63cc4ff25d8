// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVERAGE_POOL_2D and MAX_POOL_2D, int8, Armv8.1-M with Helium: a vector of
// channels of a pixel at a time. Padding is skipped.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/pool_2d.h"
#include "targets/generic/kernels/window.h"

#include <arm_mve.h>

namespace {

struct average {
  static constexpr int32_t lanes = 4;
  using vector = int32x4_t;
  vector least, most;
  explicit average(const aotc_pool_2d_s8_layer &layer)
      : least(vdupq_n_s32(layer.act_min)), most(vdupq_n_s32(layer.act_max)) {}
  static vector first() { return vdupq_n_s32(0); }
  static vector next(vector sum, const int8_t *x, mve_pred16_t some) {
    return vaddq_s32(sum, vldrbq_z_s32(x, some));
  }
  static mve_pred16_t predicate(int32_t channels) { return vctp32q((uint32_t)channels); }
  void store(int8_t *y, vector sum, int32_t count, mve_pred16_t some) const {
    vstrbq_p_s32(y, vminq_s32(vmaxq_s32(divide(sum, count), least), most), some);
  }
  /// Halves away from zero: n / count with n = |sum| + count / 2, by a reciprocal
  /// ceil(2^32 / count) = (2^32 + e) / count, 0 <= e < count. The product is too
  /// large by n * e / (count * 2^32), less than the 1 / count that matters, for
  /// n * e < 128.5 * count^2 < 2^32: the host's limit of 4,096 taps.
  static vector divide(vector sum, int32_t count) {
    if (count == 1)
      return sum;
    const vector sign = vshrq_n_s32(sum, 31);
    const uint32x4_t n = vreinterpretq_u32_s32(vaddq_n_s32(vabsq_s32(sum), count / 2));
    const uint32x4_t reciprocal = vdupq_n_u32(UINT32_MAX / (uint32_t)count + 1);
    const vector quotient = vreinterpretq_s32_u32(vmulhq_u32(n, reciprocal));
    return vsubq_s32(veorq_s32(quotient, sign), sign);
  }
};

struct maximum {
  static constexpr int32_t lanes = 16;
  using vector = int8x16_t;
  vector least, most;
  explicit maximum(const aotc_pool_2d_s8_layer &layer)
      : least(vdupq_n_s8((int8_t)layer.act_min)), most(vdupq_n_s8((int8_t)layer.act_max)) {}
  static vector first() { return vdupq_n_s8(INT8_MIN); }
  static vector next(vector best, const int8_t *x, mve_pred16_t some) {
    return vmaxq_s8(best, vldrbq_z_s8(x, some));
  }
  static mve_pred16_t predicate(int32_t channels) { return vctp8q((uint32_t)channels); }
  void store(int8_t *y, vector best, int32_t, mve_pred16_t some) const {
    vstrbq_p_s8(y, vminq_s8(vmaxq_s8(best, least), most), some);
  }
};

template <typename Reduction>
inline void pool(const aotc_pool_2d_shape &shape, const Reduction reduction, const void *const *in,
                 void *const *out, int32_t rows, int32_t descending) {
  constexpr int32_t lanes = Reduction::lanes;
  const int32_t channels = shape.channels, groups = (channels + lanes - 1) / lanes;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t y = aotc_directed(i, rows, descending);
    const void *const *window = in + y * shape.stride_h;
    auto *out_row = static_cast<int8_t *>(out[y]);
    const int32_t present = aotc_rows_present(window, shape.filter_h, 1);
#pragma clang loop unroll(disable)
    for (int32_t j = 0; j < shape.out_w; ++j) {
      const int32_t x = aotc_directed(j, shape.out_w, descending);
      const int32_t origin = x * shape.stride_w - shape.pad_left;
      const aotc_taps taps = aotc_taps_inside(origin, shape.filter_w, 1, shape.in_w);
      const int32_t columns = taps.end - taps.begin;
#pragma clang loop unroll(disable)
      for (int32_t group = 0; group < groups; ++group) {
        const int32_t c = lanes * aotc_directed(group, groups, descending);
        const mve_pred16_t some = Reduction::predicate(channels - c);
        auto value = Reduction::first();
#pragma clang loop unroll(disable)
        for (int32_t ky = 0; ky < shape.filter_h; ++ky) {
          const auto *row = static_cast<const int8_t *>(window[ky]);
          if (!row)
            continue;
          row += (origin + taps.begin) * channels + c;
#pragma clang loop unroll(disable)
          for (int32_t kx = columns; kx > 0; --kx, row += channels)
            value = Reduction::next(value, row, some);
        }
        reduction.store(out_row + x * channels + c, value, present * columns, some);
      }
    }
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_average_pool_2d_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  pool(shape, average(layer), in, out, rows, descending);
}

AOTC_KERNEL_FN(aotc_max_pool_2d_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  pool(shape, maximum(layer), in, out, rows, descending);
}
