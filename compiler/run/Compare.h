// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the bytes of a tensor with what is expected.
#pragma once

#include "compiler/support/Operator.h"

#include <string>

namespace aotc {

/// Integers must be equal. Floats: |got - expected| <= abs + rel * |expected|;
/// a NaN matches a NaN only, an infinity only the same infinity.
struct Tolerance {
  double abs = 1e-5, rel = 1e-5;
};

struct Comparison {
  int64_t elements = 0, wrong = 0;
  int64_t firstWrong = -1;     ///< flat, over all invocations; -1 if none
  std::string firstWrongIndex; ///< "[0, 3, 1]", before it "invocation 2 " if several
  std::string got, expected;   ///< of the first wrong element, as numbers
  double largestError = 0;     ///< |got - expected| over finite elements

  bool equal() const { return wrong == 0; }
  /// "3 of 10 elements differ, the first at [0, 3]: got 5, expected 6"
  std::string message() const;
};

/// `got` and `expected` hold one tensor or several, little-endian. Data of
/// unequal length has all missing elements wrong.
Comparison compareTensors(DType type, llvm::ArrayRef<int64_t> shape, llvm::StringRef got,
                          llvm::StringRef expected, const Tolerance &tolerance = {});

} // namespace aotc
