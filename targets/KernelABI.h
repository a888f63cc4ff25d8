// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every kernel's device code looks like. Included by device code (C++,
// freestanding, compiled to bitcode) and by its host side.
//
// A kernel is one function:
//
//   AOTC_KERNEL_FN(aotc_conv_2d_s8__ref) {
//     AOTC_KERNEL_ARGS(aotc_conv_2d_shape, aotc_conv_2d_layer);
//     ...
//   }
//
// shape  constants that shape the loops. The compiler makes them a constant
//        in the module, so that they fold after inlining; layers with equal
//        shape bytes share one specialised function. int32_t fields only.
// layer  what differs between layers of one shape at no cost (zero points,
//        clamps): read at run time. int32_t fields only.
// in     flat kernel: one pointer per run-time input, in operand order.
//        row kernel: input rows y0*stride - pad_top … of the block, one pointer
//        per row of the window, (rows-1)*stride + window_rows entries; null
//        where the row lies outside the image.
// out    flat kernel: one pointer per output. row kernel: `rows` output rows.
// data   constants prepared by the host side (packed weights, bias,
//        multipliers, tables), in the order the host side gave them.
// scratch  as many bytes as the host side asked for.
// rows   row kernel: output rows in this block (>= 1); flat kernel: 0.
// descending  0: pixels from first to last; 1: last to first, rows and, where
//        the overlap contract (targets/Kernel.h) counts on it, channels too.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
#define AOTC_KERNEL_FN(name)                                                                       \
  extern "C" void name(const void *shape_ptr, const void *layer_ptr, const void *const *in,        \
                       void *const *out, const void *const *data, void *scratch, int32_t rows,     \
                       int32_t descending)

/// Names the two parameter blocks and marks the rest as used.
#define AOTC_KERNEL_ARGS(Shape, Layer)                                                             \
  const Shape &shape = *static_cast<const Shape *>(shape_ptr);                                     \
  const Layer &layer = *static_cast<const Layer *>(layer_ptr);                                     \
  (void)shape, (void)layer, (void)in, (void)out, (void)data, (void)scratch, (void)rows,            \
      (void)descending

using aotc_kernel_fn = void (*)(const void *, const void *, const void *const *, void *const *,
                                const void *const *, void *, int32_t, int32_t);
#endif
