// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, NEON: thirty-two outputs at a time; each sum runs in
// the order of the inputs.
#include "targets/KernelABI.h"
#include "targets/arm_a/kernels/floats.h"
#include "targets/arm_a/kernels/fully_connected_f32.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/fully_connected.h"

namespace {

constexpr int32_t outputs_at_once = AOTC_FULLY_CONNECTED_F32_NEON_GROUP;

/// `count` outputs of one row, in as few vectors as hold them.
template <int32_t Vectors>
AOTC_INLINE void multiply_group(int32_t in_c, const float_range<4> &range, const float *x,
                                const float *weights, float *y, int32_t count) {
  if constexpr (Vectors > 1)
    if (count <= 4 * (Vectors - 1))
      return multiply_group<Vectors - 1>(in_c, range, x, weights, y, count);
  const float *bias = weights;
  weights += 4 * Vectors;
  float32x4_t acc[Vectors] = {};
  for (int32_t k = 0; k < in_c; ++k) {
    const float32x4_t value = vdupq_n_f32(x[k]);
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v, weights += 4)
      acc[v] = add_product(acc[v], vld1q_f32(weights), value);
  }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v)
    store_lanes<4>(y + 4 * v, clamp_sum(range, acc[v] + vld1q_f32(bias + 4 * v)), count - 4 * v);
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_f32__neon) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_f32_neon_shape, aotc_fully_connected_f32_layer);
  const float *weights = static_cast<const float *>(data[0]);
  const float_range<4> range = {aotc_float_of_bits(layer.act_min_bits),
                                aotc_float_of_bits(layer.act_max_bits)};
  const int32_t whole = shape.out_c / outputs_at_once, rest = shape.out_c % outputs_at_once;
  for (int32_t i = 0; i < shape.rows; ++i) {
    const int32_t r = aotc_directed(i, shape.rows, descending);
    const float *x = static_cast<const float *>(in[0]) + r * shape.in_c;
    float *y = static_cast<float *>(out[0]) + r * shape.out_c;
    auto group = [&](int32_t c, int32_t count) AOTC_INLINED {
      multiply_group<outputs_at_once / 4>(shape.in_c, range, x, weights + c * (shape.in_c + 1),
                                          y + c, count);
    };
    if (rest && descending)
      group(whole * outputs_at_once, rest);
    for (int32_t g = 0; g < whole; ++g)
      group(aotc_directed(g, whole, descending) * outputs_at_once, outputs_at_once);
    if (rest && !descending)
      group(whole * outputs_at_once, rest);
  }
}
