// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SOFTMAX, int8, to the bit TFLite's reference kernel; an exponential is a
// look-up.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/reduce.h"
#include "targets/generic/kernels/softmax_s8.h"
#include "targets/generic/kernels/window.h"

AOTC_KERNEL_FN(aotc_softmax_s8__ref) {
  AOTC_KERNEL_ARGS(aotc_softmax_shape, aotc_softmax_s8_layer);
  const int32_t *exponentials = static_cast<const int32_t *>(data[0]);
  const int32_t last = layer.last;
  auto exponential = [=](int32_t difference) {
    return exponentials[difference < last ? difference : last];
  };
  // A row is read in full before any of it is written, and element i is
  // written only after its last use: in place works.
  for (int32_t n = 0; n < shape.rows; ++n) {
    int32_t row = aotc_directed(n, shape.rows, descending) * shape.depth;
    const int8_t *from = static_cast<const int8_t *>(in[0]) + row;
    int8_t *to = static_cast<int8_t *>(out[0]) + row;
    int32_t max = -128;
    for (int32_t i = 0; i < shape.depth; ++i)
      max = from[i] > max ? from[i] : max;
    uint32_t sum = 0;
    for (int32_t i = 0; i < shape.depth; ++i)
      sum += aotc_softmax_term(exponential(max - from[i]));
    const aotc_softmax_scale scale(sum);
    for (int32_t k = 0; k < shape.depth; ++k) {
      int32_t i = aotc_directed(k, shape.depth, descending);
      int32_t steps = scale.zero() ? 0 : scale(exponential(max - from[i]));
      to[i] = (int8_t)((steps < 255 ? steps : 255) - 128);
    }
  }
}
