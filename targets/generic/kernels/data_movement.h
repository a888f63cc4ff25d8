// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of PAD, TRANSPOSE and CONCATENATION. All move bytes: element types
// do not matter once sizes are in bytes.
#pragma once

#include <stdint.h>

enum { AOTC_PAD_RANK = 6 };

/// Nested loops, outermost first; the innermost level copies `row_bytes`.
/// Each level writes `before` bytes of fill, `count` times the level below (the
/// innermost: one row), and `after` bytes of fill. Unused levels: count 1.
struct aotc_pad_shape {
  int32_t count[AOTC_PAD_RANK - 1];
  int32_t row_bytes;
  int32_t before[AOTC_PAD_RANK];
  int32_t after[AOTC_PAD_RANK];
};
struct aotc_pad_layer {
  int32_t fill; ///< the byte that pads
};

enum { AOTC_TRANSPOSE_RANK = 6 };

/// Nested loops over the result, outermost first. Each turn of a level goes
/// `stride` bytes on in the operand, the innermost one copies `run_bytes`.
/// Unused levels: count 1. Runs and strides are multiples of `align`, which is
/// the alignment of both tensors.
struct aotc_transpose_shape {
  int32_t count[AOTC_TRANSPOSE_RANK];
  int32_t stride[AOTC_TRANSPOSE_RANK];
  int32_t run_bytes, align;
};

/// `outer` times, `row_bytes[i]` bytes of each of the `inputs` operands in
/// turn. As many words as the operator has operands follow the head.
struct aotc_concatenation_shape {
  int32_t outer, inputs;
};
