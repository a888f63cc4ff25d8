// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools that are larger than the random ones of Cases.cpp.
#include "EveryKernel.h"
#include "Values.h"

using namespace aotc;
using namespace aotc::test;

/// Calls check(case, results) with the results of every row for it.
template <typename Check> static void forRows(const Case &c, Check check) {
  for (const KernelRow *row : runnableRows()) {
    if (row->op != c.op.op || !row->reject(c.op).empty())
      continue;
    llvm::Expected<KernelCall> call = row->prepare(c.op);
    if (!call)
      FAIL(llvm::toString(call.takeError()));
    INFO(row->symbol.str());
    for (bool descending : {false, true}) {
      RunOptions options;
      options.descending = descending;
      check(runKernel(*call, c, options));
    }
  }
}

/// One window of 1 x `taps` pixels, which is all of the input.
static std::unique_ptr<Case> globalPool(const char *op, int64_t taps,
                                        const std::vector<int8_t> &x) {
  const int64_t channels = int64_t(x.size()) / taps;
  TensorDesc in = described(DType::s8, 0.5, 0), out = in;
  Pool2DOptions options;
  options.filterH = options.strideH = options.strideW = 1;
  options.filterW = taps;
  auto c = unaryCase(op, in, out, x, options);
  c->op.inputs[0].shape = {1, 1, taps, channels};
  c->op.outputs[0].shape = {1, 1, 1, channels};
  return c;
}

TEST_CASE("averages of up to 300 taps, at every sum where they step") {
  for (int taps = 1; taps <= 300; ++taps) {
    // Halves round away from zero, so the step to q > 0 is at 2 * sum =
    // (2 * q - 1) * taps; one channel for each sum from 1 below to 1 above.
    std::vector<int> sums;
    for (int q = -128; q <= 127; ++q)
      for (int d = -1; d <= 1; ++d)
        if (const int sum = (2 * q - 1) * taps / 2 + d; sum >= -128 * taps && sum <= 127 * taps)
          sums.push_back(sum);
    const size_t channels = sums.size();
    std::vector<int8_t> x(channels * taps), expected(channels);
    for (size_t c = 0; c < channels; ++c) {
      const int sum = sums[c], each = sum >= 0 ? sum / taps : -((-sum + taps - 1) / taps);
      for (int t = 0; t < taps; ++t) // the rest is one more for the first taps
        x[t * channels + c] = int8_t(each + (t < sum - each * taps));
      const int magnitude = (2 * std::abs(sum) + taps) / (2 * taps);
      expected[c] = int8_t(sum < 0 ? -magnitude : magnitude);
    }
    forRows(*globalPool("average_pool_2d", taps, x), [&](const std::vector<char> &got) {
      INFO(taps << " taps");
      CHECK(memcmp(got.data(), expected.data(), channels) == 0);
    });
  }
}

TEST_CASE("pools of any number of channels") {
  Random random(41);
  for (int channels = 1; channels <= 70; ++channels) {
    const int taps = 9;
    std::vector<int8_t> x(size_t(channels) * taps), most(channels, -128);
    for (size_t i = 0; i < x.size(); ++i) {
      x[i] = int8_t(random.in(-128, 127));
      most[i % channels] = std::max(most[i % channels], x[i]);
    }
    forRows(*globalPool("max_pool_2d", taps, x), [&](const std::vector<char> &got) {
      INFO(channels << " channels");
      CHECK(memcmp(got.data(), most.data(), size_t(channels)) == 0);
    });
  }
}
