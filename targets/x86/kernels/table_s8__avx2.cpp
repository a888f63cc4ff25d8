// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of 8-bit values from a table, AVX2: 32 bytes at a time.
#include "targets/KernelABI.h"
#include "targets/generic/kernels/table_s8.h"

#include <immintrin.h>

namespace {

/// VPSHUFB looks up one of 16 bytes by the low half of an index, and gives 0 for a
/// negative one. The table is 2 x 8 sixteens; in each half the index falls by 16 from
/// one to the next until it is negative, so that for the value 16 h + l sixteens
/// 0 to h give their byte l. What is stored are their differences: the exclusive or
/// of bytes l up to h is that of the table.
struct look_up {
  __m256i differences[16];

  AOTC_INLINE explicit look_up(const uint8_t *table) {
    __m256i previous = _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int32_t k = 0; k < 16; ++k) {
      const __m256i sixteen = _mm256_broadcastsi128_si256(
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(table + 16 * k)));
      differences[k] = k % 8 ? _mm256_xor_si256(sixteen, previous) : sixteen;
      previous = sixteen;
    }
  }

  /// Of 8 sixteens from `first` on.
  AOTC_INLINE __m256i half(__m256i index, int32_t first) const {
    __m256i y = _mm256_shuffle_epi8(differences[first], index);
#pragma clang loop unroll(full)
    for (int32_t k = 1; k < 8; ++k) {
      index = _mm256_subs_epi8(index, _mm256_set1_epi8(16)); // negative stays negative
      y = _mm256_xor_si256(y, _mm256_shuffle_epi8(differences[first + k], index));
    }
    return y;
  }

  AOTC_INLINE void operator()(const uint8_t *from, uint8_t *to) const {
    const __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    const __m256i other = _mm256_xor_si256(x, _mm256_set1_epi8(INT8_MIN));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to),
                        _mm256_xor_si256(half(x, 0), half(other, 8)));
  }
};
static_assert(sizeof(__m256i) == AOTC_TABLE_BLOCK);

} // namespace

AOTC_KERNEL_FN(aotc_table_s8__avx2) {
  AOTC_KERNEL_ARGS(aotc_unary_shape, aotc_no_layer);
  const uint8_t *table = static_cast<const uint8_t *>(data[0]);
  aotc_look_up_blocks(table, static_cast<const uint8_t *>(in[0]), static_cast<uint8_t *>(out[0]),
                      shape.count, descending, look_up(table));
}
