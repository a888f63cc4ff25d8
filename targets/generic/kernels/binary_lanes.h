// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two operands with broadcasting, in vectors: the runs of the innermost loop.
// Device code only.
#pragma once

#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/lanes.h"

namespace {

/// The innermost loop.
struct binary_run {
  int32_t size;
  bool lhs_walks, rhs_walks; ///< else it repeats the operand

  AOTC_INLINE explicit binary_run(const aotc_binary_shape &shape)
      : size(shape.size[AOTC_BINARY_RANK - 1]), lhs_walks(shape.lhs_stride[AOTC_BINARY_RANK - 1]),
        rhs_walks(shape.rhs_stride[AOTC_BINARY_RANK - 1]) {}
};

/// run(lhs, rhs, out) for each run, in address order
/// of the results or its reverse.
template <int Dim = 0, typename T, typename Run>
AOTC_INLINE void for_runs(const aotc_binary_shape &shape, const T *lhs, const T *rhs, T *out,
                          int32_t descending, const Run &run) {
  if constexpr (Dim + 1 == AOTC_BINARY_RANK) {
    run(lhs, rhs, out);
  } else {
    const int32_t size = shape.size[Dim];
    int32_t below = 1;
#pragma clang loop unroll(full)
    for (int d = Dim + 1; d < AOTC_BINARY_RANK; ++d)
      below *= shape.size[d];
    for (int32_t i = 0; i < size; ++i) {
      const int32_t k = aotc_directed(i, size, descending);
      for_runs<Dim + 1>(shape, lhs + k * shape.lhs_stride[Dim], rhs + k * shape.rhs_stride[Dim],
                        out + k * below, descending, run);
    }
  }
}

} // namespace
