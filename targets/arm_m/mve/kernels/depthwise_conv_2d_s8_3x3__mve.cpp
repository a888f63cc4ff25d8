// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DEPTHWISE_CONV_2D, int8, 3x3, Armv8.1-M with Helium: 16 channels of a pixel at a
// time, or neighbouring pixels of fewer channels. VMULLB and VMULLT give 16-bit
// products of even and odd channels; those of two taps are added in 16 bits, then
// widened into sums of 32. Bottom and top undo themselves when the sums are
// narrowed. Channels run first to last in both directions; a tail-predicated loop
// serves any multiple of four.
#include "targets/KernelABI.h"
#include "targets/arm_m/mve/kernels/depthwise_conv_2d_mve.h"
#include "targets/arm_m/mve/kernels/mve_dot.h"
#include "targets/generic/kernels/window.h"

namespace {

/// In the order in which the registers are loaded; the body keeps the rest on the
/// stack. Bytes.
struct block {
  const int8_t *x[9];       ///< r0 ... r8: a pointer per tap
  const int8_t *w;          ///< r9
  int8_t *y;                ///< r10
  int32_t zero, scale;      ///< r11, r12; scale is 1 but for aotc_mve_fit
  int32_t lanes;            ///< [0] bytes of a pixel
  const int8_t *stream;     ///< [4]
  int32_t pixels;           ///< [8]
  int32_t next[3], next_y;  ///< [12] from the end of a pixel's last vector to the next
  int32_t act_min, act_max; ///< [28] aotc_mve_general
};

// The sums q4 ... q7 have channels 0 4 8 12, 2 6 10 14, 1 5 9 13, 3 7 11 15 and begin
// with the bias. S, T: what even and odd channels' products of two taps add up to;
// U, V: free registers. Loads, products and what widens stand so that each hides the
// others' time.
#define X(q, r) "vldrb.u8 " q ", [" r "], #16\n"
#define W(q) "vldrb.u8 " q ", [r9], #16\n"
#define SUM(acc, q) "vmla.i32 " acc ", " q ", r12\n"
/// The first product of a pair of taps in S and V, where x is in V, weights in U; x
/// of the second comes to T.
#define FIRST(S, T, U, V, r)                                                                       \
  X(T, r) "vmullb.s8 " S ", " V ", " U "\n vmullt.s8 " V ", " V ", " U "\n"
/// The second one. Its weights are read twice, for there is no ninth register.
#define SECOND(S, T, U, V, LOAD)                                                                   \
  "vldrb.u8 " U ", [r9]\n vmullb.s8 " U ", " T ", " U "\n" LOAD "vadd.i16 " S ", " S ", " U        \
  "\n" W(U) "vmullt.s8 " T ", " T ", " U "\n vmovlb.s16 " U ", " S "\n vadd.i16 " V ", " V ", " T  \
            "\n"
/// Widens S (its bottom half is in U) and V while the operands of the next tap
/// arrive: x in T, weights in U.
#define WIDEN(S, T, U, V, r)                                                                       \
  X(T, r)                                                                                          \
  "vmovlt.s16 " S ", " S "\n" SUM("q4", U) "vmovlb.s16 " U ", " V                                  \
                                           "\n" SUM("q5", S) "vmovlt.s16 " V ", " V                \
                                                             "\n" SUM("q6", U) W(U) SUM("q7", V)
#define PAIR(S, T, U, V, r) FIRST(S, T, U, V, r) SECOND(S, T, U, V, "")
#define LAST(S, T, U, V)                                                                           \
  "vmullb.s8 " S ", " V ", " U "\n vmullt.s8 " V ", " V ", " U "\n vmovlb.s16 " U ", " S           \
  "\n vmovlb.s16 " T ", " V "\n vmovlt.s16 " S ", " S "\n" SUM("q4", U)                            \
      SUM("q6", T) "vmovlt.s16 " V ", " V "\n" SUM("q5", S) SUM("q7", V)
#define DOT                                                                                        \
  X("q3", "r0")                                                                                    \
  W("q2")                                                                                          \
  FIRST("q0", "q1", "q2", "q3", "r1")                                                              \
  SECOND("q0", "q1", "q2", "q3", "vldrw.u32 q4, [r9, #16]\n vldrw.u32 q5, [r9, #32]\n")            \
  "vldrw.u32 q6, [r9, #32]\n vldrw.u32 q7, [r9, #48]\n add r9, #64\n" WIDEN(                       \
      "q0", "q1", "q2", "q3", "r2") PAIR("q0", "q3", "q2", "q1", "r3")                             \
      WIDEN("q0", "q3", "q2", "q1", "r4") PAIR("q0", "q1", "q2", "q3", "r5")                       \
          WIDEN("q0", "q1", "q2", "q3", "r6") PAIR("q0", "q3", "q2", "q1", "r7")                   \
              WIDEN("q0", "q3", "q2", "q1", "r8") LAST("q0", "q1", "q2", "q3")

#define VECTOR(q) "vldrw.u32 " q ", [r9], #16\n"
#define STORE "vstrb.8 q4, [r10], #16\n"
#define TAIL_FIT                                                                                   \
  VECTOR("q0")                                                                                     \
  VECTOR("q1")                                                                                     \
  "vqrdmlash.s32 q4, q0, r11\n" VECTOR("q2") "vqrdmlash.s32 q5, q1, r11\n" VECTOR(                 \
      "q3") "vqrdmlash.s32 q6, q2, r11\n vqrshrnb.s32 q4, q4, #16\n vqrdmlash.s32 q7, q3, r11\n"   \
            "vqrshrnt.s32 q4, q5, #16\n vqrshrnb.s32 q6, q6, #16\n vqmovnb.s16 q4, q4\n"           \
            "vqrshrnt.s32 q6, q7, #16\n vqmovnt.s16 q4, q6\n" STORE
#define AWAY(q)                                                                                    \
  VECTOR("q0")                                                                                     \
  "vqrdmulh.s32 " q ", " q ", q0\n" VECTOR("q1") "vshr.s32 q2, " q ", #31\n vmla.i32 " q           \
                                                 ", q2, r12\n vrshl.s32 " q ", " q                 \
                                                 ", q1\n vadd.i32 " q ", " q ", r11\n"
#define GENERAL(q)                                                                                 \
  VECTOR("q0")                                                                                     \
  "vqshl.s32 " q ", " q ", q0\n" VECTOR("q0") "vqrdmulh.s32 " q ", " q ", q0\n" VECTOR(            \
      "q1") "vand q2, " q ", q1\n vshr.s32 q2, q2, #31\n vmla.i32 " q ", q2, r12\n vrshl.s32 " q   \
            ", " q ", q1\n vadd.i32 " q ", " q ", r11\n"
#define NARROW                                                                                     \
  "vqmovnb.s32 q4, q4\n vqmovnb.s32 q6, q6\n vqmovnt.s32 q4, q5\n vqmovnt.s32 q6, q7\n"            \
  "vqmovnb.s16 q4, q4\n vqmovnt.s16 q4, q6\n"
#define TAIL_AWAY AWAY("q4") AWAY("q5") AWAY("q6") AWAY("q7") NARROW STORE
#define TAIL_GENERAL                                                                               \
  GENERAL("q4")                                                                                    \
  GENERAL("q5")                                                                                    \
  GENERAL("q6")                                                                                    \
  GENERAL("q7")                                                                                    \
  NARROW "ldr r12, [sp, #28]\n vdup.8 q0, r12\n vmax.s8 q4, q4, q0\n ldr r12, [sp, #32]\n"         \
         "vdup.8 q0, r12\n vmin.s8 q4, q4, q0\n mov r12, #1\n" STORE

/// All channels of a pixel, then the next pixel. REWIND: `lanes` are those of many
/// pixels that lie side by side.
#define BODY(TAIL, REWIND)                                                                         \
  "@ aotc.stack=136\n push {r4-r11, lr}\n vpush {d8-d15}\n sub sp, #36\n"                          \
  "add r1, r0, #52\n ldmia r1, {r2-r10}\n stmia sp, {r2-r10}\n mov lr, r0\n"                       \
  "ldmia lr, {r0-r12}\n"                                                                           \
  "1: ldr lr, [sp]\n dlstp.8 lr, lr\n 2:\n" DOT TAIL REWIND "letp lr, 2b\n"                        \
  "ldr lr, [sp, #8]\n subs lr, #1\n str lr, [sp, #8]\n beq 3f\n"                                   \
  "ldr lr, [sp, #12]\n add r0, lr\n add r1, lr\n add r2, lr\n"                                     \
  "ldr lr, [sp, #16]\n add r3, lr\n add r4, lr\n add r5, lr\n"                                     \
  "ldr lr, [sp, #20]\n add r6, lr\n add r7, lr\n add r8, lr\n"                                     \
  "ldr lr, [sp, #24]\n ldr r9, [sp, #4]\n add r10, lr\n b 1b\n"                                    \
  "3: add sp, #36\n vpop {d8-d15}\n pop {r4-r11, pc}\n"

#define BODIES(KIND, TAIL)                                                                         \
  template <int32_t Tail, bool Rewind>                                                             \
    requires(Tail == KIND && !Rewind)                                                              \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(TAIL, "") : : : "memory");                                               \
  }                                                                                                \
  template <int32_t Tail, bool Rewind>                                                             \
    requires(Tail == KIND && Rewind)                                                               \
  AOTC_NAKED void convolve(const block *) {                                                        \
    __asm__ volatile(BODY(TAIL, "sub r9, r9, #%c[bytes]\n")                                        \
                     :                                                                             \
                     : [bytes] "i"(9 * 16 + 64 * aotc_mve_tail_vectors[Tail])                      \
                     : "memory");                                                                  \
  }
BODIES(aotc_mve_fit, TAIL_FIT)
BODIES(aotc_mve_away, TAIL_AWAY)
BODIES(aotc_mve_general, TAIL_GENERAL)

template <bool Rewind> AOTC_INLINE void convolve_tail(int32_t tail, const block *work) {
  if (tail == aotc_mve_fit)
    return convolve<aotc_mve_fit, Rewind>(work);
  if (tail == aotc_mve_away)
    return convolve<aotc_mve_away, Rewind>(work);
  convolve<aotc_mve_general, Rewind>(work);
}

/// One output row.
struct row {
  const aotc_depthwise_conv_2d_3x3_mve_shape &shape;
  const aotc_depthwise_conv_2d_3x3_mve_layer &layer;
  const void *const *window;
  int8_t *y;
  const int8_t *zeros;
  block &work;

  /// Pixels with missing columns, one by one.
  void border(int32_t pixel) {
    const int32_t c = layer.channels, column = pixel * layer.stride - layer.pad_left;
#pragma clang loop unroll(disable)
    for (int32_t r = 0; r < 3; ++r) {
      const auto *x = static_cast<const int8_t *>(window[r]);
#pragma clang loop unroll(disable)
      for (int32_t k = 0; k < 3; ++k)
        work.x[3 * r + k] =
            x && (uint32_t)(column + k) < (uint32_t)layer.in_w ? x + (column + k) * c : zeros;
    }
    work.y = y + pixel * c;
    work.lanes = c;
    work.pixels = 1;
    convolve_tail<false>(shape.tail, &work);
  }

  /// `count` times `pixels` neighbours from `first` on, or down from it.
  void inside(int32_t first, int32_t count, int32_t pixels, bool descending) {
    const int32_t c = layer.channels, lanes = pixels * c, vectors = (lanes + 15) & ~15;
    const int32_t in_step = pixels * layer.stride * c;
    bool rewind = shape.channels_16 && layer.stride == 1 && !descending;
#pragma clang loop unroll(disable)
    for (int32_t r = 0; r < 3; ++r) {
      const auto *x = static_cast<const int8_t *>(window[r]);
      const int32_t step = x ? c : 0;
      rewind &= x != nullptr;
      x = x ? x + (first * layer.stride - layer.pad_left) * c : zeros;
      work.x[3 * r] = x;
      work.x[3 * r + 1] = x + step;
      work.x[3 * r + 2] = x + 2 * step;
      work.next[r] = (step ? descending ? -in_step : in_step : 0) - vectors;
    }
    work.next_y = (descending ? -lanes : lanes) - vectors;
    work.y = y + first * c;
    work.lanes = lanes;
    work.pixels = count;
    if (!rewind)
      return convolve_tail<false>(shape.tail, &work);
    work.lanes *= count;
    work.pixels = 1;
    convolve_tail<true>(shape.tail, &work);
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_depthwise_conv_2d_s8_3x3__mve) {
  AOTC_KERNEL_ARGS(aotc_depthwise_conv_2d_3x3_mve_shape, aotc_depthwise_conv_2d_3x3_mve_layer);
  block work;
  work.w = work.stream = static_cast<const int8_t *>(data[0]);
  work.zero = layer.output.zero;
  work.scale = layer.output.scale;
  work.act_min = layer.output.act_min;
  work.act_max = layer.output.act_max;
  row r = {shape, layer, nullptr, nullptr, static_cast<const int8_t *>(data[1]), work};
  // Pixels begin <= i < end have all their columns.
  const int32_t stride = layer.stride, out_w = layer.out_w;
  int32_t begin = (layer.pad_left + stride - 1) / stride;
  begin = begin < out_w ? begin : out_w;
  const int32_t room = layer.in_w - 3 + layer.pad_left;
  int32_t end = room < 0 ? 0 : room / stride + 1;
  end = end < begin ? begin : end < out_w ? end : out_w;
  const int32_t blocks = (end - begin) / layer.pixels, rest = (end - begin) % layer.pixels;
#pragma clang loop unroll(disable)
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t at = aotc_directed(i, rows, descending);
    r.window = in + at * shape.stride_h;
    r.y = static_cast<int8_t *>(out[at]);
    if (!descending) {
#pragma clang loop unroll(disable)
      for (int32_t pixel = 0; pixel < begin; ++pixel)
        r.border(pixel);
      if (blocks)
        r.inside(begin, blocks, layer.pixels, false);
#pragma clang loop unroll(disable)
      for (int32_t pixel = end - rest; pixel < out_w; ++pixel)
        r.border(pixel);
    } else {
#pragma clang loop unroll(disable)
      for (int32_t pixel = out_w - 1; pixel >= end; --pixel)
        r.border(pixel);
      if (blocks)
        r.inside(end - layer.pixels, blocks, layer.pixels, true);
#pragma clang loop unroll(disable)
      for (int32_t pixel = begin + rest - 1; pixel >= 0; --pixel)
        r.border(pixel);
    }
  }
}
