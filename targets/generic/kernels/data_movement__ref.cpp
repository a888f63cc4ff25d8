// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAD, TRANSPOSE and CONCATENATION for elements of any size.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/data_movement.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

namespace {

/// Writes the result from one end to the other. The operand may lie inside the
/// result's memory (DataMovement.cpp gives the distances): the end that is
/// written never passes the end that is read.
struct Padder {
  const uint8_t *in;
  uint8_t *out;
  int32_t fill;
  int32_t descending;

  AOTC_INLINE void pad(int32_t bytes) {
    if (descending)
      out -= bytes;
    __builtin_memset(out, fill, (uint32_t)bytes);
    if (!descending)
      out += bytes;
  }

  AOTC_INLINE void copy(int32_t bytes) {
    if (descending) {
      in -= bytes;
      out -= bytes;
    }
    __builtin_memmove(out, in, (uint32_t)bytes);
    if (!descending) {
      in += bytes;
      out += bytes;
    }
  }

  template <int Level> AOTC_INLINE void run(const aotc_pad_shape &shape) {
    pad(descending ? shape.after[Level] : shape.before[Level]);
    if constexpr (Level + 1 < AOTC_PAD_RANK) {
      for (int32_t i = 0; i < shape.count[Level]; ++i)
        run<Level + 1>(shape);
    } else {
      copy(shape.row_bytes);
    }
    pad(descending ? shape.before[Level] : shape.after[Level]);
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_pad_bytes__ref) {
  AOTC_KERNEL_ARGS(aotc_pad_shape, aotc_pad_layer);
  int32_t in_bytes = 0, out_bytes = 0;
  if (descending) {
    in_bytes = shape.row_bytes;
    out_bytes = shape.row_bytes + shape.before[AOTC_PAD_RANK - 1] + shape.after[AOTC_PAD_RANK - 1];
    for (int level = AOTC_PAD_RANK - 2; level >= 0; --level) {
      in_bytes *= shape.count[level];
      out_bytes = shape.before[level] + out_bytes * shape.count[level] + shape.after[level];
    }
  }
  Padder padder = {static_cast<const uint8_t *>(in[0]) + in_bytes,
                   static_cast<uint8_t *>(out[0]) + out_bytes, layer.fill, descending};
  padder.run<0>(shape);
}

namespace {

/// Writes the result from one end to the other; each run is read at once.
struct Transposer {
  uint8_t *out;
  int32_t descending;

  AOTC_INLINE void copy(const uint8_t *from, int32_t bytes, int32_t align) {
    if (descending)
      out -= bytes;
    if (align == 8)
      __builtin_memmove(__builtin_assume_aligned(out, 8), __builtin_assume_aligned(from, 8),
                        (uint32_t)bytes);
    else if (align == 4)
      __builtin_memmove(__builtin_assume_aligned(out, 4), __builtin_assume_aligned(from, 4),
                        (uint32_t)bytes);
    else if (align == 2)
      __builtin_memmove(__builtin_assume_aligned(out, 2), __builtin_assume_aligned(from, 2),
                        (uint32_t)bytes);
    else
      __builtin_memmove(out, from, (uint32_t)bytes);
    if (!descending)
      out += bytes;
  }

  template <int Level>
  AOTC_INLINE void run(const aotc_transpose_shape &shape, const uint8_t *from) {
    const int32_t count = shape.count[Level];
    const int32_t stride = descending ? -shape.stride[Level] : shape.stride[Level];
    if (descending)
      from += (count - 1) * shape.stride[Level];
    for (int32_t i = 0; i < count; ++i, from += stride) {
      if constexpr (Level + 1 < AOTC_TRANSPOSE_RANK)
        run<Level + 1>(shape, from);
      else
        copy(from, shape.run_bytes, shape.align);
    }
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_transpose_bytes__ref) {
  AOTC_KERNEL_ARGS(aotc_transpose_shape, aotc_no_layer);
  int32_t bytes = 0;
  if (descending) {
    bytes = shape.run_bytes;
    for (int32_t count : shape.count)
      bytes *= count;
  }
  Transposer transposer = {static_cast<uint8_t *>(out[0]) + bytes, descending};
  transposer.run<0>(shape, static_cast<const uint8_t *>(in[0]));
}

/// One operand may share the result's memory.
AOTC_KERNEL_FN(aotc_concatenation_bytes__ref) {
  AOTC_KERNEL_ARGS(aotc_concatenation_shape, aotc_no_layer);
  const int32_t *row_bytes = reinterpret_cast<const int32_t *>(&shape + 1);
  uint8_t *to = static_cast<uint8_t *>(out[0]);
  if (descending)
    for (int32_t i = 0; i < shape.inputs; ++i)
      to += shape.outer * row_bytes[i];
  for (int32_t n = 0; n < shape.outer; ++n) {
    const int32_t row = aotc_directed(n, shape.outer, descending);
    for (int32_t k = 0; k < shape.inputs; ++k) {
      const int32_t i = aotc_directed(k, shape.inputs, descending);
      const int32_t bytes = row_bytes[i];
      to -= descending ? bytes : 0;
      __builtin_memmove(to, static_cast<const uint8_t *>(in[i]) + row * bytes, (uint32_t)bytes);
      to += descending ? 0 : bytes;
    }
  }
}
