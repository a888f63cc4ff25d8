// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FULLY_CONNECTED, int8, by a loop in assembly over groups of eight channels: what
// is left to do around it. Device code only.
#pragma once

#include "targets/KernelABI.h"
#include "targets/generic/kernels/fixed_point.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

namespace {

/// The row `x` of `count` inputs, or if `turn` does not divide them its copy in
/// `scratch`, zeros up to a multiple behind it (their weights change no sum).
/// `count` becomes what there is.
template <int32_t Turn>
AOTC_INLINE const int8_t *whole_turns(const int8_t *x, int32_t &count, bool copied, void *scratch) {
  if (!copied)
    return x;
  const int32_t turns = (count + Turn - 1) / Turn * Turn;
  auto *copy = static_cast<int8_t *>(scratch);
  __builtin_memcpy(copy, x, (uint32_t)count);
  __builtin_memset(copy + count, 0, (uint32_t)(turns - count));
  count = turns;
  return copy;
}

/// `out_c` channels of a row to y, finished by the loop itself. run(&work) does the
/// groups from work.w to work.w_end, `group` elements each, and advances neither;
/// both are at the first group and work.y at y.
template <typename Block, typename Run>
AOTC_INLINE void finish_in_eights(Block &work, int32_t group, int32_t out_c, int8_t *y,
                                  const Run &run) {
  const auto first = work.w;
  work.w_end += (out_c >> 3) * group;
  if (work.w_end != first)
    run(&work);
  if (const int32_t rest = out_c & 7) {
    int8_t last[8];
    work.y = last;
    work.w = work.w_end;
    work.w_end += group;
    run(&work);
#pragma clang loop unroll(disable)
    for (int32_t i = 0; i < rest; ++i)
      y[(out_c & ~7) + i] = last[i];
  }
}

/// The same where run(&work) only writes the eight sums of the group at work.w to
/// work.y. data: the stream, bias, multipliers.
template <typename Layer, typename Block, typename Run>
AOTC_INLINE void requantize_in_eights(Block &work, int32_t group, const Layer &layer,
                                      const void *const *data, int8_t *y, const Run &run) {
  const auto *bias = static_cast<const int32_t *>(data[1]);
  const auto *multipliers = static_cast<const aotc_multiplier *>(data[2]);
  int32_t sums[8];
  work.y = sums;
#pragma clang loop unroll(disable)
  for (int32_t c = 0; c < layer.out_c; ++c) {
    if (!(c & 7)) {
      run(&work);
      work.w += group;
    }
    y[c] = aotc_requantize_s8((uint32_t)sums[c & 7] + (uint32_t)bias[c],
                              multipliers[layer.per_channel ? c : 0], 1, layer.out_zero_point,
                              layer.act_min, layer.act_max);
  }
}

} // namespace
