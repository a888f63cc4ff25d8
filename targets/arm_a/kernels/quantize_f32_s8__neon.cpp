// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QUANTIZE from float32 to bytes, NEON.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/quantize_f32_lanes.h"

/// Also for uint8: the clamp decides which byte it is.
AOTC_KERNEL_FN(aotc_quantize_f32_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_quantize_layer);
  quantize_blocks(shape, layer, in, out, descending);
}
