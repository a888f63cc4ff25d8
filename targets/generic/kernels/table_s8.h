// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any function of 8-bit values as a table of 256 results by the bits of the operand,
// signed or not: element by element, and the loop of the kernels that look up in
// vectors. Device code only.
#pragma once

#include "targets/generic/kernels/elementwise.h"
#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

#include <stdint.h>

/// to[i] = table[from[i]]. Four at a time, all read before any is written: loads
/// that follow each other are faster.
static AOTC_INLINE void aotc_look_up(const uint8_t *table, const uint8_t *from, uint8_t *to,
                                     int32_t count, int32_t descending) {
  const int32_t fours = count & ~3, rest = count - fours;
  auto one_by_one = [&]() AOTC_INLINED {
    for (int32_t i = 0; i < rest; ++i) {
      const int32_t at = fours + aotc_directed(i, rest, descending);
      to[at] = table[from[at]];
    }
  };
  if (descending)
    one_by_one();
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < fours; i += 4) {
    const int32_t at = descending ? fours - 4 - i : i;
    const uint8_t *x = from + at;
    const uint8_t x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    const uint8_t y0 = table[x0], y1 = table[x1], y2 = table[x2], y3 = table[x3];
    uint8_t *y = to + at;
    y[0] = y0;
    y[1] = y1;
    y[2] = y2;
    y[3] = y3;
  }
  if (!descending)
    one_by_one();
}

/// The same with blocks of AOTC_TABLE_BLOCK bytes, each by block(from, to), which
/// reads it all before it writes; fewer that are left come last.
template <typename Block>
static AOTC_INLINE void aotc_look_up_blocks(const uint8_t *table, const uint8_t *from, uint8_t *to,
                                            int32_t count, int32_t descending, const Block &block) {
  const int32_t blocks = count / AOTC_TABLE_BLOCK, rest = count % AOTC_TABLE_BLOCK;
  const int32_t first = descending ? rest : 0, left = descending ? 0 : count - rest;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < blocks; ++i) {
    const int32_t at = first + AOTC_TABLE_BLOCK * aotc_directed(i, blocks, descending);
    block(from + at, to + at);
  }
  aotc_look_up(table, from + left, to + left, rest, descending);
}
