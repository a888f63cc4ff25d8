// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, AVX2 and FMA: thirty-two outputs at a time; each
// sum runs in the order of the inputs.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/x86/kernels/float_lanes.h"
#include "targets/x86/kernels/fully_connected.h"

namespace {

/// `count` outputs, in as many vectors.
template <int32_t Vectors>
AOTC_AVX2_INLINE void multiply_group(int32_t in_c, const float_range &range, const float *x,
                                     const float *weights, float *y, int32_t count) {
  __m256 acc[Vectors];
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v)
    acc[v] = _mm256_loadu_ps(weights + 8 * v);
  for (int32_t k = 0; k < in_c; ++k) {
    weights += 8 * Vectors;
    const __m256 value = _mm256_broadcast_ss(x + k);
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < Vectors; ++v)
      acc[v] = _mm256_fmadd_ps(value, _mm256_loadu_ps(weights + 8 * v), acc[v]);
  }
#pragma clang loop unroll(full)
  for (int32_t v = 0; v < Vectors; ++v)
    store_floats(y + 8 * v, range.clamp(acc[v]), count - 8 * v);
}

} // namespace

AOTC_KERNEL_FN(aotc_fully_connected_f32__avx2) {
  AOTC_KERNEL_ARGS(aotc_fully_connected_avx2_shape, aotc_fully_connected_f32_layer);
  const float *weights = static_cast<const float *>(data[0]);
  const float_range range = {aotc_float_of_bits(layer.act_min_bits),
                             aotc_float_of_bits(layer.act_max_bits)};
  for_groups_of<float>(
      shape, in[0], out[0], descending,
      [&]<int32_t Vectors>(const float *x, float *y, int32_t c, int32_t count) AOTC_AVX2_INLINED {
        multiply_group<Vectors>(shape.in_c, range, x, weights + c * (shape.in_c + 1), y, count);
      });
}
