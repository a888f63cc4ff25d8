// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of FULLY_CONNECTED, int8, for NEON (flat), shared by host and device.
//
// layer: aotc_fully_connected_s8_layer (targets/generic/kernels/fully_connected.h).
// data[0]: weights: for each group of eight outputs (the last: of four or eight)
//          and 16 inputs 16 weights of each output. A row is read to its end: the
//          last 16 inputs of 16 or more overlap those before, for which the
//          weights are 0, as for absent outputs and inputs.
// data[1]: words of the outputs (requantize_s8.h).
#pragma once

#include <stdint.h>

struct aotc_fully_connected_neon_shape {
  int32_t rows; ///< input rows of in_c values
  int32_t in_c, out_c;
  int32_t requantize; ///< AOTC_NEON_REQUANTIZE_*
  int32_t pairs;      ///< 16 bits hold the sums of products 8 inputs apart
};

/// Outputs computed together.
enum { AOTC_FULLY_CONNECTED_NEON_GROUP = 8 };

#ifdef __ARM_NEON
#include "targets/arm_a/kernels/products_s8.h"
#include "targets/arm_a/kernels/requantize_s8.h"
#include "targets/generic/kernels/fully_connected.h"
#include "targets/generic/kernels/window.h"

namespace {

/// Fewer than 16 bytes, the others 0; reads no others.
AOTC_INLINE int8x16_t load_few(const int8_t *x, int32_t count) {
  int8_t bytes[16] = {};
  for (int32_t i = 0; i < count; ++i)
    bytes[i] = x[i];
  return vld1q_s8(bytes);
}

/// `count` outputs of one row, Outputs (4 or 8) or fewer.
template <typename Products, int32_t Outputs>
AOTC_INLINE void multiply_group(const aotc_fully_connected_neon_shape &shape,
                                const Products &products, const output_range &range,
                                const int8_t *x, const int8_t *weights, const int32_t *channels,
                                int8_t *y, int32_t count) {
  int32x4_t acc[Outputs];
#pragma clang loop unroll(full)
  for (int32_t c = 0; c < Outputs; ++c)
    acc[c] = vdupq_n_s32(0);
  auto add = [&](int8x16_t values) AOTC_INLINED {
    int8x16_t w[Outputs];
#pragma clang loop unroll(full)
    for (int32_t c = 0; c < Outputs; ++c)
      w[c] = vld1q_s8(weights + 16 * c);
    weights += 16 * Outputs;
#pragma clang loop unroll(full)
    for (int32_t c = 0; c < Outputs; ++c) {
      acc[c] = products(acc[c], w[c], values);
      if (c + 4 < Outputs)
        use_after(w[c + 4], acc[c]);
    }
  };
  int32_t k = 0;
  for (; k + 16 <= shape.in_c; k += 16)
    add(vld1q_s8(x + k));
  if (k < shape.in_c)
    add(shape.in_c >= 16 ? vld1q_s8(x + shape.in_c - 16) : load_few(x, shape.in_c));

  int32x4_t results[2];
#pragma clang loop unroll(full)
  for (int32_t c = 0; c < Outputs; c += 4) {
    const channel_group group(channels + c / 4 * AOTC_NEON_CHANNEL_WORDS);
    const int32x4_t sums = sum_each(acc[c], acc[c + 1], acc[c + 2], acc[c + 3]);
    results[c / 4] = requantize(vaddq_s32(sums, group.bias), group, shape.requantize, range);
  }
  const int16x8_t narrowed =
      narrow(results[0], results[Outputs == 8 ? 1 : 0], shape.requantize, range);
  store_bytes(y, clamp_bytes(narrowed, range), count);
}

/// All rows. Products: as pair_products.
template <typename Products>
AOTC_INLINE void multiply_rows(const aotc_fully_connected_neon_shape &shape,
                               const aotc_fully_connected_s8_layer &layer, const Products &products,
                               const void *in, void *out, const void *const *data,
                               int32_t descending) {
  const int8_t *weights = static_cast<const int8_t *>(data[0]);
  const int32_t *channels = static_cast<const int32_t *>(data[1]);
  const output_range range = {layer.out_zero_point, layer.act_min, layer.act_max};
  constexpr int32_t most = AOTC_FULLY_CONNECTED_NEON_GROUP;
  const int32_t whole = shape.out_c / most, rest = shape.out_c % most;
  const int32_t padded = (shape.in_c + 15) / 16 * 16;
  for (int32_t i = 0; i < shape.rows; ++i) {
    const int32_t r = aotc_directed(i, shape.rows, descending);
    const int8_t *x = static_cast<const int8_t *>(in) + r * shape.in_c;
    int8_t *y = static_cast<int8_t *>(out) + r * shape.out_c;
    auto group = [&]<int32_t Outputs>(int32_t c, int32_t count) AOTC_INLINED {
      multiply_group<Products, Outputs>(shape, products, range, x, weights + c * padded,
                                        channels + c / 4 * AOTC_NEON_CHANNEL_WORDS, y + c, count);
    };
    auto last = [&]() AOTC_INLINED {
      if (rest > 4)
        group.template operator()<8>(whole * most, rest);
      else if (rest)
        group.template operator()<4>(whole * most, rest);
    };
    if (descending)
      last();
    for (int32_t g = 0; g < whole; ++g)
      group.template operator()<8>(aotc_directed(g, whole, descending) * most, most);
    if (!descending)
      last();
  }
}

} // namespace
#endif
