// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N channels or elements at a time in the compiler's vectors, which it maps to
// those of the CPU. Device code only.
#pragma once

#include "targets/generic/kernels/inline.h"
#include "targets/generic/kernels/window.h"

#include <stdint.h>

namespace {

template <typename T, int32_t N> struct lanes_of {
  typedef T type __attribute__((vector_size(sizeof(T) * N)));
};
template <typename T, int32_t N> using lanes = typename lanes_of<T, N>::type;

/// From any address.
template <typename T, int32_t N> AOTC_INLINE lanes<T, N> load_lanes(const T *x) {
  lanes<T, N> result;
  __builtin_memcpy(&result, x, sizeof result);
  return result;
}

template <typename T, int32_t N> AOTC_INLINE void store_lanes(T *to, lanes<T, N> x) {
  __builtin_memcpy(to, &x, sizeof x);
}

/// All lanes x.
template <typename T, int32_t N> AOTC_INLINE lanes<T, N> all_lanes(T x) {
  return x - lanes<T, N>{};
}

/// `each`<N>(first) for all of `count` elements from `first` on, by groups of N
/// = Most, and of 16, 8, 4 and 1 what is left; groups stand in address order, and
/// are visited in it or its reverse.
template <int32_t Most, typename Each>
AOTC_INLINE void for_lanes(int32_t first, int32_t count, int32_t descending, const Each &each) {
  const int32_t whole = count / Most, rest = count % Most;
  auto others = [&]() AOTC_INLINED {
    if constexpr (Most > 1)
      if (rest)
        for_lanes<(Most > 4 ? Most / 2 : 1)>(first + whole * Most, rest, descending, each);
  };
  if (descending)
    others();
  for (int32_t i = 0; i < whole; ++i)
    each.template operator()<Most>(first + Most * aotc_directed(i, whole, descending));
  if (!descending)
    others();
}

} // namespace
