// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AVERAGE_POOL_2D, int8, Armv8.1-M with Helium: four channels of a pixel at a time.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/pool_2d.h"
#include "targets/generic/kernels/window.h"

#include <arm_mve.h>

/// sum / count, halves away from zero: n / count with n = |sum| + count / 2, by a
/// reciprocal ceil(2^32 / count) = (2^32 + e) / count, 0 <= e < count. The product
/// is too large by n * e / (count * 2^32), less than the 1 / count that matters, for
/// n * e < 128.5 * count^2 < 2^32: the host's limit of 4,096 taps.
static inline int32x4_t average(int32x4_t sum, int32_t count, uint32_t reciprocal) {
  if (count == 1)
    return sum;
  const int32x4_t sign = vshrq_n_s32(sum, 31);
  const uint32x4_t n = vreinterpretq_u32_s32(vaddq_n_s32(vabsq_s32(sum), count / 2));
  const uint32x4_t quotient = vmulhq_u32(n, vdupq_n_u32(reciprocal));
  return vsubq_s32(veorq_s32(vreinterpretq_s32_u32(quotient), sign), sign);
}

AOTC_KERNEL_FN(aotc_average_pool_2d_s8__mve) {
  AOTC_KERNEL_ARGS(aotc_pool_2d_shape, aotc_pool_2d_s8_layer);
  const int32x4_t least = vdupq_n_s32(layer.act_min), most = vdupq_n_s32(layer.act_max);
  const int32_t channels = shape.channels, groups = (channels + 3) >> 2;
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
      const int32_t columns = taps.end - taps.begin, count = present * columns;
      const uint32_t reciprocal = UINT32_MAX / (uint32_t)count + 1;
#pragma clang loop unroll(disable)
      for (int32_t group = 0; group < groups; ++group) {
        const int32_t c = 4 * aotc_directed(group, groups, descending);
        const mve_pred16_t some = vctp32q((uint32_t)(channels - c));
        int32x4_t sum = vdupq_n_s32(0);
#pragma clang loop unroll(disable)
        for (int32_t ky = 0; ky < shape.filter_h; ++ky) {
          const auto *row = static_cast<const int8_t *>(window[ky]);
          if (!row)
            continue;
          row += (origin + taps.begin) * channels + c;
#pragma clang loop unroll(disable)
          for (int32_t kx = columns; kx > 0; --kx, row += channels)
            sum = vaddq_s32(sum, vldrbq_z_s32(row, some));
        }
        const int32x4_t mean = average(sum, count, reciprocal);
        vstrbq_p_s32(out_row + x * channels + c, vminq_s32(vmaxq_s32(mean, least), most), some);
      }
    }
  }
}
