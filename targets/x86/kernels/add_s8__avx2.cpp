// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ADD, int8, any broadcasting, AVX2: sixteen elements at a time. An operand that the
// innermost loop repeats is read before it.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/binary_lanes.h"
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
  const binary_run run(shape.loops);
  const int32_t whole = run.size / 16, rest = run.size % 16;
  const int32_t first = descending ? rest : 0;
  auto sums = [&](const int8_t *lhs, const int8_t *rhs, int8_t *y) AOTC_INLINED {
    const __m128i one_lhs = _mm_set1_epi8(*lhs), one_rhs = _mm_set1_epi8(*rhs);
    for (int32_t i = 0; i < whole; ++i) {
      const int32_t at = first + 16 * (descending ? whole - 1 - i : i);
      const __m128i l = run.lhs_walks ? (__m128i)load_lanes<16>(lhs + at) : one_lhs;
      const __m128i r = run.rhs_walks ? (__m128i)load_lanes<16>(rhs + at) : one_rhs;
      const __m256i low = eight(l, r);
      const __m256i high = eight(_mm_unpackhi_epi64(l, l), _mm_unpackhi_epi64(r, r));
      _mm_storeu_si128(reinterpret_cast<__m128i *>(y + at), pack(low, high));
    }
    for (int32_t i = 0; i < rest; ++i) {
      const int32_t at = descending ? rest - 1 - i : 16 * whole + i;
      const __m128i l = run.lhs_walks ? _mm_cvtsi32_si128(lhs[at]) : one_lhs;
      const __m128i r = run.rhs_walks ? _mm_cvtsi32_si128(rhs[at]) : one_rhs;
      const __m256i one = eight(l, r);
      y[at] = (int8_t)_mm_cvtsi128_si32(pack(one, one));
    }
  };
  for_runs(shape.loops, static_cast<const int8_t *>(in[0]), static_cast<const int8_t *>(in[1]),
           static_cast<int8_t *>(out[0]), descending, sums);
}
