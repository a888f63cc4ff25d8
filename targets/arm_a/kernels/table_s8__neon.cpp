// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of 8-bit values from a table, NEON: 32 bytes at a time. TBL looks up one
// byte of four registers, TBX too, but leaves results whose index lies outside: each
// part of the table is looked up by its own index, x without the part's first.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/table_s8.h"

#include <arm_neon.h>

namespace {

#if defined(__aarch64__)

/// Parts of 64 bytes, all in registers.
struct look_up {
  uint8x16x4_t parts[4];

  AOTC_INLINE explicit look_up(const uint8_t *table) {
#pragma clang loop unroll(full)
    for (int32_t k = 0; k < 4; ++k)
      parts[k] = vld1q_u8_x4(table + 64 * k);
  }

  AOTC_INLINE void operator()(const uint8_t *from, uint8_t *to) const {
    const uint8x16_t x[2] = {vld1q_u8(from), vld1q_u8(from + 16)};
    uint8x16_t y[2] = {vqtbl4q_u8(parts[0], x[0]), vqtbl4q_u8(parts[0], x[1])};
#pragma clang loop unroll(full)
    for (int32_t k = 1; k < 4; ++k) {
      const uint8x16_t first = vdupq_n_u8((uint8_t)(64 * k));
#pragma clang loop unroll(full)
      for (int32_t v = 0; v < 2; ++v)
        y[v] = vqtbx4q_u8(y[v], parts[k], veorq_u8(x[v], first));
    }
    vst1q_u8(to, y[0]);
    vst1q_u8(to + 16, y[1]);
  }
};

#else

/// Parts of 32 bytes, which are loaded for each block: eight would fill all registers.
struct look_up {
  const uint8_t *table;

  AOTC_INLINE explicit look_up(const uint8_t *bytes) : table(bytes) {}

  AOTC_INLINE void operator()(const uint8_t *from, uint8_t *to) const {
    uint8x8_t x[4], y[4];
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < 4; ++v)
      x[v] = vld1_u8(from + 8 * v);
#pragma clang loop unroll(full)
    for (int32_t k = 0; k < 8; ++k) {
      const uint8x8x4_t part = vld1_u8_x4(table + 32 * k);
      const uint8x8_t first = vdup_n_u8((uint8_t)(32 * k));
#pragma clang loop unroll(full)
      for (int32_t v = 0; v < 4; ++v)
        y[v] = k ? vtbx4_u8(y[v], part, veor_u8(x[v], first)) : vtbl4_u8(part, x[v]);
    }
#pragma clang loop unroll(full)
    for (int32_t v = 0; v < 4; ++v)
      vst1_u8(to + 8 * v, y[v]);
  }
};

#endif

} // namespace

AOTC_KERNEL_FN(aotc_table_s8__neon) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_no_layer);
  const uint8_t *table = static_cast<const uint8_t *>(data[0]);
  aotc_look_up_blocks(table, static_cast<const uint8_t *>(in[0]), static_cast<uint8_t *>(out[0]),
                      shape.count, descending, look_up(table));
}
