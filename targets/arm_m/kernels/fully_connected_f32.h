// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, for Cortex-M: parameters, shared by host and device,
// and the kernel. Eight outputs at a time; each sum runs in the order of the
// inputs. Each weight is used once: loading it is what counts.
#pragma once

#include <stdint.h>

enum { AOTC_FULLY_CONNECTED_F32_ARM_M_GROUP = 8 };

/// data: for each eight outputs biases, then weights, for each input eight
/// outputs, absent ones 0.
struct aotc_fully_connected_f32_arm_m_layer {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
  int32_t act_min_bits, act_max_bits;
};

#if !defined(AOTC_HOST) && defined(__arm__)
#include "targets/KernelABI.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/lanes.h"
#include "targets/generic/kernels/window.h"

namespace {

AOTC_INLINE void multiply(const aotc_fully_connected_f32_arm_m_layer &layer, const void *in,
                          void *out, const void *data, int32_t descending) {
  constexpr int32_t group = AOTC_FULLY_CONNECTED_F32_ARM_M_GROUP, vectors = group / 4;
  const auto *constants = static_cast<const float *>(data);
  const float_range<4> range = {aotc_float_of_bits(layer.act_min_bits),
                                aotc_float_of_bits(layer.act_max_bits)};
  const int32_t in_c = layer.in_c, out_c = layer.out_c;
  const int32_t groups = (out_c + group - 1) / group;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < layer.rows; ++i) {
    const int32_t r = aotc_directed(i, layer.rows, descending);
    const float *x = static_cast<const float *>(in) + r * in_c;
    float *y = static_cast<float *>(out) + r * out_c;
#pragma clang loop unroll(disable)
    for (int32_t j = 0; j < groups; ++j) {
      const int32_t c = aotc_directed(j, groups, descending) * group;
      const float *bias = constants + c * (1 + in_c), *w = bias;
      floats<4> sum[vectors] = {};
#pragma clang loop unroll(disable)
      for (int32_t k = 0; k < in_c; ++k) {
        w += group;
#pragma clang loop unroll(full)
        for (int32_t v = 0; v < vectors; ++v)
          sum[v] = sum[v] + x[k] * load_lanes<4>(w + 4 * v);
      }
#pragma clang loop unroll(full)
      for (int32_t v = 0; v < vectors; ++v)
        if (c + 4 * v < out_c)
          store_lanes<4>(y + c + 4 * v, range.clamp(sum[v] + load_lanes<4>(bias + 4 * v)),
                         out_c - c - 4 * v);
    }
  }
}

} // namespace
#endif
