// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD, int8, operands of one shape, AVX2: sixteen elements at a time.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/elementwise.h"
#include "targets/x86/kernels/requantize_s8.h"

namespace {

/// Multiplies by a multiplier that shifts right by n >= 1, with both roundings
/// (requantize_s8.h): x comes times 4, lanes go to the order 0 2 1 3 4 6 5 7.
struct rescale {
  __m256i mantissa, constant, below;
  int32_t shift;

  AOTC_INLINE rescale(int32_t factor, int32_t exponent)
      : mantissa(_mm256_set1_epi32(factor)), constant(_mm256_set1_epi32(1 + (1 << -exponent))),
        below(_mm256_set1_epi32((1 << -exponent) - 1)), shift(1 - exponent) {}

  AOTC_INLINE __m256i operator()(__m256i x) const {
    const __m256i h = high_products(x, mantissa, mantissa);
    return _mm256_srai_epi32(_mm256_add_epi32(h, by_sign(h, constant, below)), shift);
  }
};

/// One operand, scaled, lanes in the order 0 2 1 3 4 6 5 7.
struct operand {
  rescale scale;
  int32_t half, zero_point;

  AOTC_INLINE __m256i operator()(__m128i bytes) const {
    const __m256i x = _mm256_sub_epi32(_mm256_cvtepi8_epi32(bytes), _mm256_set1_epi32(zero_point));
    if (half)
      return _mm256_shuffle_epi32(_mm256_slli_epi32(x, AOTC_ADD_S8_LEFT_SHIFT - 1), 0xd8);
    return scale(_mm256_slli_epi32(x, AOTC_ADD_S8_LEFT_SHIFT + 2));
  }
};

} // namespace

AOTC_KERNEL_FN(aotc_add_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_add_s8_shape, aotc_add_s8_layer);
  const int32_t count = shape.loops.size[AOTC_BINARY_RANK - 1];
  const int8_t *lhs = static_cast<const int8_t *>(in[0]);
  const int8_t *rhs = static_cast<const int8_t *>(in[1]);
  int8_t *y = static_cast<int8_t *>(out[0]);
  const operand left = {rescale(layer.lhs_mantissa, layer.lhs_shift), shape.lhs_half,
                        layer.lhs_zero_point};
  const operand right = {rescale(layer.rhs_mantissa, layer.rhs_shift), shape.rhs_half,
                         layer.rhs_zero_point};
  const rescale scale(layer.out_mantissa, layer.out_shift);
  const __m256i zero_point = _mm256_set1_epi32(layer.out_zero_point);
  const output_range range = {layer.out_zero_point, layer.min, layer.max};

  // The order of lanes changes twice: back to the first.
  auto eight = [&](__m128i l, __m128i r) AOTC_INLINED {
    const __m256i sum = _mm256_add_epi32(left(l), right(r));
    return _mm256_add_epi32(scale(_mm256_slli_epi32(sum, 2)), zero_point);
  };
  auto pack = [&](__m256i a, __m256i b)
                  AOTC_INLINED { return _mm_shuffle_epi32(pack_two(a, b, range), 0xd8); };

  // Sixteens from the front, or from the back; the rest one by one.
  const int32_t whole = count / 16, rest = count % 16;
  const int32_t first = descending ? rest : 0;
  for (int32_t i = 0; i < whole; ++i) {
    const int32_t at = first + 16 * (descending ? whole - 1 - i : i);
    const __m128i l = _mm_loadu_si128(reinterpret_cast<const __m128i *>(lhs + at));
    const __m128i r = _mm_loadu_si128(reinterpret_cast<const __m128i *>(rhs + at));
    const __m256i low = eight(l, r);
    const __m256i high = eight(_mm_unpackhi_epi64(l, l), _mm_unpackhi_epi64(r, r));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(y + at), pack(low, high));
  }
  for (int32_t i = 0; i < rest; ++i) {
    const int32_t at = descending ? rest - 1 - i : 16 * whole + i;
    const __m256i one = eight(_mm_cvtsi32_si128(lhs[at]), _mm_cvtsi32_si128(rhs[at]));
    y[at] = (int8_t)_mm_cvtsi128_si32(pack(one, one));
  }
}
