// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, float32, scalar FPU: eight outputs at a time; each sum runs
// in the order of the inputs. Each weight is used once: loading it is what counts.
#include "targets/KernelABI.h"
#include "targets/arm_m/fpu/kernels/fully_connected_fpu.h"
#include "targets/generic/kernels/float_clamp.h"
#include "targets/generic/kernels/window.h"

AOTC_KERNEL_FN(aotc_fully_connected_f32__fpu) {
  AOTC_KERNEL_ARGS(char, aotc_fully_connected_fpu_layer);
  const auto *constants = static_cast<const float *>(data[0]);
  const float min = aotc_float_of_bits(layer.act_min_bits);
  const float max = aotc_float_of_bits(layer.act_max_bits);
  const int32_t in_c = layer.in_c, out_c = layer.out_c;
  const int32_t groups = (out_c + AOTC_FPU_OUTPUTS - 1) / AOTC_FPU_OUTPUTS;

#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < layer.rows; ++i) {
    const int32_t r = aotc_directed(i, layer.rows, descending);
    const float *x = static_cast<const float *>(in[0]) + r * in_c;
    float *y = static_cast<float *>(out[0]) + r * out_c;
#pragma clang loop unroll(disable)
    for (int32_t j = 0; j < groups; ++j) {
      const int32_t c = aotc_directed(j, groups, descending) * AOTC_FPU_OUTPUTS;
      const float *bias = constants + c * (1 + in_c), *w = bias;
      float sum[AOTC_FPU_OUTPUTS] = {};
#pragma clang loop unroll(disable)
      for (int32_t k = 0; k < in_c; ++k) {
        w += AOTC_FPU_OUTPUTS;
        const float value = x[k];
#pragma clang loop unroll(full)
        for (int32_t o = 0; o < AOTC_FPU_OUTPUTS; ++o)
          sum[o] += value * w[o];
      }
#pragma clang loop unroll(full)
      for (int32_t o = 0; o < AOTC_FPU_OUTPUTS; ++o)
        if (o < out_c - c)
          y[c + o] = aotc_clamp_f32(sum[o] + bias[o], min, max);
    }
  }
}
