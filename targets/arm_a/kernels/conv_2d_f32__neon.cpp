// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, float32, NEON: four pixels (on 32-bit CPUs two) x sixteen channels; each
// sum runs in the order of the weights.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/conv_2d_f32.h"
#include "targets/arm_a/kernels/floats.h"
#include "targets/generic/kernels/conv_2d.h"
#include "targets/generic/kernels/float_clamp.h"

namespace {

/// There are 32 vector registers, or 16.
constexpr int32_t most_pixels = sizeof(void *) == 8 ? 4 : 2;

struct conv_data {
  const float *weights, *bias;
  float_range<4> range;
};

/// The sums of Pixels pixels x 4 * Vectors channels. Loops over them must vanish,
/// for the sums to stand in registers.
template <int32_t Pixels, int32_t Vectors> struct sums {
  float32x4_t acc[Pixels][Vectors];

  /// add_one(a sum, weights, pixel) with the next weights of all channels.
  template <typename Add> AOTC_INLINE void add(const float *&weights, const Add &add_one) {
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v, weights += 4) {
      const float32x4_t w = vld1q_f32(weights);
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p)
        acc[p][v] = add_one(acc[p][v], w, p);
    }
  }

  /// Adds the products with the Lane-th of four elements of each pixel.
  template <int32_t Lane> AOTC_INLINE void add_lane(const float32x4_t *x, const float *&weights) {
    add(weights, [&](float32x4_t sum, float32x4_t w, int32_t p)
                     AOTC_INLINED { return add_product_lane<Lane>(sum, w, x[p]); });
  }
};

/// `count` channels, 4 * Vectors or fewer, of Pixels pixels; moves on in d.
template <int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_group(const aotc_pixel_block_shape &shape, conv_data &d,
                                const float *copied, float *y, int32_t count) {
  sums<Pixels, Vectors> sum = {};
  const float *weights = d.weights;
  for (int32_t r = 0; r < shape.runs; ++r, copied += shape.run_step) {
    int32_t i = 0;
    for (; i + 4 <= shape.run_length; i += 4) {
      float32x4_t x[Pixels];
#pragma clang loop unroll(full)
      for (int32_t p = 0; p < Pixels; ++p)
        x[p] = vld1q_f32(copied + p * shape.pixel_step + i);
      sum.template add_lane<0>(x, weights);
      sum.template add_lane<1>(x, weights);
      sum.template add_lane<2>(x, weights);
      sum.template add_lane<3>(x, weights);
    }
    for (; i < shape.run_length; ++i)
      sum.add(weights, [&](float32x4_t acc, float32x4_t w, int32_t p) AOTC_INLINED {
        return add_product(acc, w, vdupq_n_f32(copied[p * shape.pixel_step + i]));
      });
  }
#pragma clang loop unroll(full)
  for (int32_t p = 0; p < Pixels; ++p)
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      store_lanes<4>(y + p * shape.out_c + 4 * v,
                     clamp_sum(d.range, sum.acc[p][v] + vld1q_f32(d.bias + 4 * v)), count - 4 * v);
  d.weights = weights;
  d.bias += 4 * Vectors;
}

/// The last channels, in as few vectors as hold them.
template <int32_t Pixels, int32_t Vectors>
AOTC_INLINE void convolve_rest(const aotc_pixel_block_shape &shape, conv_data &d,
                               const float *copied, float *y, int32_t count) {
  if constexpr (Vectors > 1)
    if (count <= 4 * (Vectors - 1))
      return convolve_rest<Pixels, Vectors - 1>(shape, d, copied, y, count);
  convolve_group<Pixels, Vectors>(shape, d, copied, y, count);
}

/// All channels of Pixels pixels.
template <int32_t Pixels>
AOTC_INLINE void convolve(const aotc_pixel_block_shape &shape, conv_data d, const float *copied,
                          float *y) {
  if constexpr (Pixels > most_pixels) {
    convolve<most_pixels>(shape, d, copied, y);
    convolve<Pixels - most_pixels>(shape, d, copied + most_pixels * shape.pixel_step,
                                   y + most_pixels * shape.out_c);
  } else {
    constexpr int32_t group = AOTC_CONV_2D_F32_NEON_GROUP;
    int32_t c = 0;
    for (; c + group <= shape.out_c; c += group)
      convolve_group<Pixels, group / 4>(shape, d, copied, y + c, group);
    if (c < shape.out_c)
      convolve_rest<Pixels, group / 4>(shape, d, copied, y + c, shape.out_c - c);
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_f32__neon) {
  AOTC_KERNEL_ARGS(aotc_pixel_block_shape, aotc_conv_2d_f32_layer);
  const conv_data d = {
      static_cast<const float *>(data[0]),
      static_cast<const float *>(data[1]),
      {aotc_float_of_bits(layer.act_min_bits), aotc_float_of_bits(layer.act_max_bits)}};
  for_copied_blocks<AOTC_CONV_2D_F32_NEON_PIXELS, float>(
      shape, copy_floats(), in, out, static_cast<float *>(scratch), rows, descending,
      [&]<int32_t Pixels>(const float *copied, float *y)
          AOTC_INLINED { convolve<Pixels>(shape, d, copied, y); });
}
