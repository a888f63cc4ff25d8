// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONV_2D, int8, kh x 3 with horizontal stride 1 or 2, Armv7E-M. The columns of
// a pixel pair, 4 (stride 2: 5), are widened once: pixel 1 reads the same words
// one column (two columns) on. Scratch holds them per row and four channels:
// words E0 O0 E1 O1 ..., bytes 0 and 2, 1 and 3 of each column. Missing rows are
// filled with the zero point once per output row; missing columns are read from
// a pixel of zero points.
#include "targets/KernelABI.h"
#include "targets/arm_m/dsp/kernels/conv_2d_dsp.h"
#include "targets/arm_m/dsp/kernels/dsp_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

// Eight channels of one row. x: words above; weights: taps of columns in the
// order the half reads them.
#define S1_HALF(o, w)                                                                              \
  AOTC_X("r0", #o "-64")                                                                           \
  AOTC_X("r1", #o "+8-64")                                                                         \
  AOTC_W(#w "-96")                                                                                 \
  AOTC_MAC8("r0", "r1")                                                                            \
  AOTC_X("r0", #o "+16-64")                                                                        \
  AOTC_W(#w "+8-96")                                                                               \
  AOTC_MAC8("r1", "r0") AOTC_X("r1", #o "+24-64") AOTC_W(#w "+16-96") AOTC_MAC8("r0", "r1")
#define S1_TURN                                                                                    \
  AOTC_X("r1", "8")                                                                                \
  AOTC_W("0")                                                                                      \
  "ldr r0, [r4], #64\n" AOTC_MAC8("r0", "r1")                                                      \
      AOTC_X("r0", "16-64") "ldr r3, [r5, #4]\n ldr r2, [r5], #96\n" AOTC_MAC8("r1", "r0")         \
          AOTC_X("r1", "24-64") AOTC_W("16-96") AOTC_MAC8("r0", "r1") S1_HALF(4, 24)               \
              S1_HALF(32, 48) S1_HALF(36, 72)
#define S2_HALF(o, w)                                                                              \
  AOTC_X("r0", #o "-80")                                                                           \
  AOTC_X("r1", #o "+16-80")                                                                        \
  AOTC_W(#w "-96")                                                                                 \
  AOTC_MAC8("r0", "r1")                                                                            \
  AOTC_X("r0", #o "+32-80")                                                                        \
  AOTC_W(#w "+8-96")                                                                               \
  AOTC_MAC8("r1", "r0")                                                                            \
  AOTC_X("r0", #o "+8-80") AOTC_X("r1", #o "+24-80") AOTC_W(#w "+16-96") AOTC_MAC8("r0", "r1")
#define S2_TURN                                                                                    \
  AOTC_X("r1", "16")                                                                               \
  AOTC_W("0")                                                                                      \
  "ldr r0, [r4], #80\n" AOTC_MAC8("r0", "r1")                                                      \
      AOTC_X("r0", "32-80") "ldr r3, [r5, #4]\n ldr r2, [r5], #96\n" AOTC_MAC8("r1", "r0")         \
          AOTC_X("r0", "8-80") AOTC_X("r1", "24-80") AOTC_W("16-96") AOTC_MAC8("r0", "r1")         \
              S2_HALF(4, 24) S2_HALF(40, 48) S2_HALF(44, 72)

AOTC_BLOCK(stride_1, S1_TURN)
AOTC_BLOCK(stride_2, S2_TURN)

#define STORE(x, o) "str %[" #x "], [%[s], #" #o "]\n"
#define WIDE(x, y, o)                                                                              \
  "sxtb16 %[" #y "], %[" #x "]\n sxtb16 %[" #x "], %[" #x "], ror #8\n" STORE(y, o) STORE(x, o + 4)
#define FOUR                                                                                       \
  ".p2align 2\n1: ldr %[a], [%[p0], %[i]]\n ldr %[b], [%[p1], %[i]]\n"                             \
  "ldr %[c], [%[p2], %[i]]\n ldr %[d], [%[p3], %[i]]\n sxtb16 %[e], %[a], ror #8\n" STORE(e, 4)    \
      WIDE(b, e, 8) WIDE(c, e, 16) WIDE(d, e, 24)
#define LAST(bytes) "sxtb16 %[a], %[a]\n adds %[i], #4\n str %[a], [%[s]], #" #bytes "\n bne 1b"

/// Columns of one row into s, p their beginnings; 24 cycles for four columns x
/// four channels.
template <int32_t Stride>
AOTC_INLINE void widen_columns(const int8_t *p0, const int8_t *p1, const int8_t *p2,
                               const int8_t *p3, const int8_t *p4, int32_t *s, int32_t in_c) {
  int32_t a, b, c, d, e, i = -in_c;
  p0 += in_c;
  p1 += in_c;
  p2 += in_c;
  p3 += in_c;
  p4 += in_c;
  if constexpr (Stride == 1)
    __asm__ volatile(FOUR LAST(32)
                     : [s] "+r"(s), [i] "+r"(i), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c),
                       [d] "=&r"(d), [e] "=&r"(e)
                     : [p0] "r"(p0), [p1] "r"(p1), [p2] "r"(p2), [p3] "r"(p3)
                     : "cc", "memory");
  else
    __asm__ volatile(FOUR "ldr %[d], [%[p4], %[i]]\n" WIDE(d, e, 32) LAST(40)
                     : [s] "+r"(s), [i] "+r"(i), [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c),
                       [d] "=&r"(d), [e] "=&r"(e)
                     : [p0] "r"(p0), [p1] "r"(p1), [p2] "r"(p2), [p3] "r"(p3), [p4] "r"(p4)
                     : "cc", "memory");
}

/// All pixels of one output row; `window` has its input rows.
template <int32_t Stride>
AOTC_INLINE void convolve_row(const aotc_conv_2d_3x3_dsp_shape &shape,
                              const aotc_conv_2d_3x3_dsp_layer &layer, const void *const *window,
                              int8_t *y, const int8_t *zeros, const aotc_dsp_channels &channels,
                              int32_t *scratch, int32_t descending) {
  constexpr int32_t columns = Stride == 1 ? 4 : 5;
  const int32_t in_c = layer.in_c, in_w = layer.in_w, out_w = layer.out_w;
  const int32_t row_words = in_c / 2 * columns;
  const int32_t zero = (int32_t)((uint32_t)(uint16_t)layer.in_zero_point * 0x10001u);
  int32_t *s = scratch;
#pragma clang loop unroll(disable)
  for (int32_t r = 0; r < layer.kernel_h; ++r, s += row_words)
    if (!window[r * layer.dilation_h]) {
#pragma clang loop unroll(disable)
      for (int32_t i = 0; i < row_words; ++i)
        s[i] = zero;
    }
#pragma clang loop unroll(disable)
  for (int32_t left = out_w; left > 0; left -= 2) {
    const int32_t both = left > 1;
    const int32_t first = descending ? left - 1 - both : out_w - left;
    const int32_t column = first * Stride - layer.pad_left;
    s = scratch;
#pragma clang loop unroll(disable)
    for (int32_t r = 0; r < layer.kernel_h; ++r, s += row_words) {
      const auto *x = static_cast<const int8_t *>(window[r * layer.dilation_h]);
      if (!x)
        continue;
      const int8_t *p[5];
      if (column >= 0 && column + columns <= in_w) {
        p[0] = x + column * in_c;
#pragma clang loop unroll(full)
        for (int32_t t = 1; t < 5; ++t)
          p[t] = p[t - 1] + in_c;
      } else {
#pragma clang loop unroll(disable)
        for (int32_t t = 0; t < columns; ++t)
          p[t] = (uint32_t)(column + t) < (uint32_t)in_w ? x + (column + t) * in_c : zeros;
      }
      widen_columns<Stride>(p[0], p[1], p[2], p[3], Stride == 1 ? p[3] : p[4], s, in_c);
    }
    int8_t *y0 = y + first * layer.out_c, *y1 = both ? y0 + layer.out_c : y0;
    aotc_dsp_with_tail(shape.tail, shape.up, [&]<int32_t Tail, int32_t Up>() {
      aotc_dsp_pair<Tail>(channels, y0, y1, [](const aotc_dsp_block *block) {
        if constexpr (Stride == 1)
          stride_1<Tail, Up, 0>(block);
        else
          stride_2<Tail, Up, 0>(block);
      });
    });
  }
}

} // namespace

AOTC_KERNEL_FN(aotc_conv_2d_s8_3x3__dsp) {
  AOTC_KERNEL_ARGS(aotc_conv_2d_3x3_dsp_shape, aotc_conv_2d_3x3_dsp_layer);
  const int32_t columns = shape.stride == 1 ? 4 : 5;
  auto *widened = static_cast<int32_t *>(scratch);
  const bool general = shape.tail == aotc_dsp_general;
  const aotc_dsp_channels channels = {
      layer.out_c,
      aotc_dsp_group_words(3 * layer.kernel_h * layer.in_c, shape.tail),
      static_cast<const int32_t *>(data[0]),
      widened,
      widened + layer.kernel_h * layer.in_c / 2 * columns,
      general ? static_cast<const int32_t *>(data[1]) : nullptr,
      general ? static_cast<const aotc_multiplier *>(data[2]) : nullptr,
      layer.per_channel,
      layer.out_zero_point,
      layer.act_min,
      layer.act_max};
  const auto *zeros = static_cast<const int8_t *>(data[general ? 3 : 1]);
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t row = aotc_directed(i, rows, descending);
    const void *const *window = in + row * layer.stride_h;
    auto *y = static_cast<int8_t *>(out[row]);
    if (shape.stride == 1)
      convolve_row<1>(shape, layer, window, y, zeros, channels, widened, descending);
    else
      convolve_row<2>(shape, layer, window, y, zeros, channels, widened, descending);
  }
}
