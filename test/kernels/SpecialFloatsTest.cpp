// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NaN, infinities, zeros of both signs and denormals through the fast float
// operators without weights: the portable kernels' bits. A NaN is a NaN.
#include "EveryKernel.h"

#include <bit>
#include <cmath>
#include <limits>

using namespace aotc;
using namespace aotc::test;

/// A value of every kind.
static float specialFloat(Random &random) {
  using limits = std::numeric_limits<float>;
  const float value =
      random.of({0.0f, limits::denorm_min(), limits::min() / 3, limits::min(), 1.5f, 6.0f, 88.9f,
                 104.5f, limits::max(), limits::infinity(), limits::quiet_NaN()});
  return random.oneIn(2) ? -value : value;
}

/// Sums and products only: no exponential, whose products may be fused.
static bool exactBits(const KernelRow &row) { return row.op != "softmax" && row.op != "logistic"; }

static bool agrees(float fast, float slow, bool exact) {
  if (std::isnan(slow))
    return std::isnan(fast);
  if (exact || std::isinf(slow))
    return std::bit_cast<uint32_t>(fast) == std::bit_cast<uint32_t>(slow);
  return std::abs(fast - slow) <= 1e-6f * std::abs(slow) + std::numeric_limits<float>::min();
}

TEST_CASE("special floats give the portable kernel's results") {
  for (const KernelRow *row : runnableRows()) {
    if (row->level == "ref" || row->variant != "f32" || row->op.contains("conv") ||
        row->op == "fully_connected")
      continue;
    DYNAMIC_SECTION(row->symbol.str()) {
      Random random(3);
      int nans = 0, numbers = 0;
      forCases(*row, 100, [&](Case &c, const KernelCall &call) {
        // Few in each, or sums would all be NaN.
        for (std::vector<char> &bytes : c.inputs)
          for (size_t i = 0; i < bytes.size(); i += 4)
            if (const float value = specialFloat(random); random.oneIn(6))
              memcpy(&bytes[i], &value, 4);
        llvm::Expected<KernelCall> portable = llvm::createStringError("no portable row");
        for (const KernelRow &other : allKernels())
          if (other.op == row->op && other.level == "ref" && other.reject(c.op).empty()) {
            portable = other.prepare(c.op);
            break;
          }
        if (!portable)
          FAIL(llvm::toString(portable.takeError()));
        const std::vector<char> fast = runKernel(call, c), slow = runKernel(*portable, c);
        for (size_t i = 0; i < slow.size(); i += 4) {
          float a, b;
          memcpy(&a, &fast[i], 4);
          memcpy(&b, &slow[i], 4);
          ++(std::isnan(b) ? nans : numbers);
          if (!agrees(a, b, exactBits(*row)))
            FAIL("element " << i / 4 << ": " << a << " is not " << b);
        }
      });
      if (row->op == "max_pool_2d") // passes over them, as the reference does
        CHECK(nans == 0);
      else
        CHECK(nans > 20);
      CHECK(numbers > 20);
    }
  }
}
