// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NaN, infinities, zeros of both signs and denormals through the fast float
// operators: the portable kernels' results (SameFloats.h).
#include "EveryKernel.h"
#include "SameFloats.h"

#include <bit>

using namespace aotc;
using namespace aotc::test;

TEST_CASE("special floats give the portable kernel's results") {
  for (const KernelRow *row : runnableRows()) {
    if (row->level == "ref" || typeOfVariant(row->variant) != DType::f32)
      continue;
    DYNAMIC_SECTION(row->symbol.str()) {
      Random random(3);
      int nans = 0, numbers = 0;
      forCases(*row, 100, [&](Case &c, const KernelCall &call) {
        // Few in each, or sums would all be NaN.
        addSpecialFloats(c, random, random.of({6, 50}));
        llvm::Expected<KernelCall> portable = llvm::createStringError("no portable row");
        for (const KernelRow &other : allKernels())
          if (other.op == row->op && other.level == "ref" && other.reject(c.op).empty()) {
            portable = other.prepare(c.op);
            break;
          }
        if (!portable)
          FAIL(llvm::toString(portable.takeError()));
        const std::vector<char> fast = runKernel(call, c), slow = runKernel(*portable, c);
        if (c.op.outputs[0].type != DType::f32) {
          if (fast != slow)
            FAIL("differs");
          return;
        }
        for (size_t i = 0; i < slow.size(); i += 4) {
          uint32_t a, b;
          memcpy(&a, &fast[i], 4);
          memcpy(&b, &slow[i], 4);
          ++(is_nan(b) ? nans : numbers);
          if (!same_float(a, b, {.weights = hasWeights(row->op), .flushes = false}))
            FAIL("element " << i / 4 << ": " << std::bit_cast<float>(a) << " is not "
                            << std::bit_cast<float>(b));
        }
      });
      if (row->op == "quantize") // to integers
        continue;
      if (row->op == "max_pool_2d") // passes over them, as the reference does
        CHECK(nans == 0);
      else
        CHECK(nans > 20);
      CHECK(numbers > 20);
    }
  }
}
