// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOFTMAX, float32: e^(beta (x - max)) over its sum.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/math.h"
#include "targets/generic/kernels/reduce.h"

AOTC_KERNEL_FN(aotc_softmax_f32__ref) {
  AOTC_KERNEL_ARGS(aotc_softmax_shape, aotc_softmax_f32_layer);
  float beta = aotc_float_of_bits(layer.beta);
  for (int32_t n = 0; n < shape.rows; ++n) {
    int32_t row = (descending ? shape.rows - 1 - n : n) * shape.depth;
    const float *from = static_cast<const float *>(in[0]) + row;
    float *to = static_cast<float *>(out[0]) + row;
    float max = from[0];
    for (int32_t i = 1; i < shape.depth; ++i)
      max = from[i] > max ? from[i] : max;
    // The exponentials replace the row in the direction of the overlap; their
    // sum is taken in the order of the elements, so that the direction leaves
    // no trace in the result.
    for (int32_t k = 0; k < shape.depth; ++k) {
      int32_t i = descending ? shape.depth - 1 - k : k;
      to[i] = aotc_expf((from[i] - max) * beta);
    }
    float sum = 0;
    for (int32_t i = 0; i < shape.depth; ++i)
      sum += to[i];
    for (int32_t i = 0; i < shape.depth; ++i)
      to[i] /= sum;
  }
}
