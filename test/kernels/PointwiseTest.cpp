// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast int8 layers this machine runs, against the portable ones, over cases
// made for them; dsp/ does the same for Armv7E-M under emulation.
#include "Harness.h"
#include "LayerCases.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>

using namespace aotc;
using namespace aotc::test;

constexpr uint32_t caseCount = 2000;

static const KernelRow &rowNamed(llvm::StringRef symbol) {
  for (const KernelRow &row : allKernels())
    if (row.symbol == symbol)
      return row;
  FAIL("no kernel " << symbol.str());
  std::abort();
}

static KernelCall prepared(const KernelRow &row, const OperatorDesc &op) {
  llvm::Expected<KernelCall> call = row.prepare(op);
  if (!call)
    FAIL(llvm::toString(call.takeError()));
  return *call;
}

/// `row` against the portable kernel, over cases(0), cases(1), … : both
/// directions, rows anywhere, in and out as close as stated.
template <typename Cases>
static void compare(const KernelRow &row, const KernelRow &portable, Cases cases) {
  if (!runsHere(row)) {
    std::cout << "skipped: " << caseCount << " cases of " << row.symbol.str() << " need a CPU with "
              << row.level.str() << "\n";
    return;
  }
  uint32_t accepted = 0;
  for (uint32_t index = 0; index < caseCount; ++index) {
    auto c = cases(index);
    if (!row.reject(c->op).empty())
      continue;
    ++accepted;
    const std::vector<char> expected = runKernel(prepared(portable, c->op), *c);
    const KernelCall call = prepared(row, c->op);
    for (bool descending : {false, true})
      for (bool scattered : {false, true}) {
        RunOptions options;
        options.descending = descending;
        options.scattered = scattered && call.rows;
        options.blockRows = scattered ? 2 : 1;
        if (runKernel(call, *c, options) != expected)
          FAIL("case " << index << (descending ? ", down" : ", up")
                       << (scattered ? ", scattered" : ""));
      }
    // As closely as stated: whatever is still needed is not overwritten.
    const OverlapRule &rule = call.overlaps.at(0);
    for (bool descending : {false, true}) {
      RunOptions options;
      options.blockRows = 1;
      options.descending = descending;
      options.overlap = true;
      options.distance = descending ? -*rule.descending : *rule.ascending;
      if (runKernel(call, *c, options) != expected)
        FAIL("case " << index << " at its distance " << (descending ? "down" : "up"));
    }
  }
  INFO(accepted << " of " << caseCount << " cases accepted");
  CHECK(accepted * 2 >= caseCount);
}

TEST_CASE("avx2 int8 kernels equal the portable ones") {
  SECTION("1x1 convolution")
  compare(rowNamed("aotc_conv_2d_s8__avx2"), rowNamed("aotc_conv_2d_s8__ref"), pointwiseCase);
  for (const char *op : {"conv_2d", "depthwise_conv_2d", "fully_connected"})
    DYNAMIC_SECTION(op) {
      compare(rowNamed(std::string("aotc_") + op + "_s8__avx2"),
              rowNamed(std::string("aotc_") + op + "_s8__ref"),
              [&](uint32_t index) { return layerCase(op, index); });
    }
}

// Distances by hand, for blocks of two pixels (dsp), n = 5 pixels in a row, I
// bytes in and C bytes out per pixel.
static OverlapRule dspRule(int64_t inC, int64_t outC, int64_t stride) {
  const KernelRow &row = rowNamed("aotc_conv_2d_s8_1x1__dsp");
  auto c = pointwiseCase(0);
  const int64_t inW = 4 * stride + 1;
  static std::vector<char> weights;
  weights.assign(inC * outC, 1);
  Conv2DOptions options;
  options.strideW = stride;
  c->op.options = options;
  c->op.inputs.resize(2);
  c->op.inputs[0].shape = {1, 1, inW, inC};
  TensorDesc &w = c->op.inputs[1];
  w.shape = {outC, 1, 1, inC};
  w.constant = weights;
  w.quant = {{0.001}, {0}, -1};
  c->op.outputs[0].shape = {1, 1, 5, outC};
  REQUIRE(row.reject(c->op) == "");
  return prepared(row, c->op).overlaps.at(0);
}

TEST_CASE("how closely input and output of a 1x1 convolution may overlap") {
  // C = I: in place, both ways.
  CHECK(dspRule(8, 8, 1).ascending == 0);
  CHECK(dspRule(8, 8, 1).descending == 0);
  // C = 12 > I = 8. Up: the output runs ahead; before the last block (pixel 4)
  // it has 4*12 bytes where 4*8 are read: 16. Down: pixels 3 and 4 first, then
  // 1 and 2, then 0; the output's pixel 1 starts at 12, input pixel 0 ends at
  // 8: -4.
  CHECK(dspRule(8, 12, 1).ascending == 16);
  CHECK(dspRule(8, 12, 1).descending == -4);
  // C = 4 < I = 8. Up: after the first block 8 bytes are written, 16 read: -8.
  // Down: after pixels 3 and 4, 24 bytes are still needed, output pixel 3
  // starts at 12: 12.
  CHECK(dspRule(8, 4, 1).ascending == -8);
  CHECK(dspRule(8, 4, 1).descending == 12);
  // Stride 2, C = 16, I = 8: reads at 0, 16, 32, …; C equals the step. Up: 0.
  // Down: before pixel 3, input pixel 2 ends at 2*16 + 8 = 40, the output's
  // pixel 3 starts at 48; before pixel 1, 8 and 16: -8.
  CHECK(dspRule(8, 16, 2).ascending == 0);
  CHECK(dspRule(8, 16, 2).descending == -8);
}

TEST_CASE("what the convolutions for Armv7E-M refuse") {
  const KernelRow &row = rowNamed("aotc_conv_2d_s8_gather__dsp");
  auto c = pointwiseCase(0);
  std::vector<char> weights(2, 0);
  c->op.options = Conv2DOptions{};
  c->op.inputs.resize(2);
  c->op.inputs[0].shape = {1, 1, 1, 1};
  c->op.outputs[0].shape = {1, 1, 1, 2};
  TensorDesc &w = c->op.inputs[1];
  w.shape = {2, 1, 1, 1};
  w.constant = weights;
  w.quant = {{0.001}, {0}, -1};
  auto reason = [&](int u, int v) {
    weights = {char(u), char(v)};
    w.constant = weights;
    return row.reject(c->op);
  };
  // 256*u + v in 16 bits: -32768 fits, -32769 does not.
  CHECK(reason(-128, 0) == "");
  CHECK(reason(-128, -1) == "a pair of weights does not fit 16 bits (-128)");
  CHECK(reason(-127, -128) == "");
  CHECK(reason(127, 127) == "");

  // 128 * 512 * 128 = 2^23: one input channel fewer fits.
  for (int64_t inC : {511, 512}) {
    std::vector<char> large(inC, -128);
    c->op.options = Conv2DOptions{};
    c->op.inputs[0].shape = {1, 1, 1, inC};
    c->op.outputs[0].shape = {1, 1, 1, 1};
    w.shape = {1, 1, 1, inC};
    w.constant = large;
    CHECK(row.reject(c->op) == (inC == 511 ? "" : "sums may exceed 23 bits"));
  }
}
