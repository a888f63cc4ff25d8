// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops over all rows of all Kernels.def that this machine can run, and over
// random operators each of them accepts.
#pragma once

#include "Harness.h"
#include "LayerCases.h"

#include <catch2/catch.hpp>

#include <iostream>
#include <set>

namespace aotc::test {

/// Calls check(case, call) for `wanted` operators that `row` accepts.
template <typename Check> void forCases(const KernelRow &row, int wanted, Check check) {
  Random random(7);
  int accepted = 0;
  for (int i = 0; i < 40 * wanted && accepted < wanted; ++i) {
    const DType type = typeOfVariant(row.variant);
    const bool layer = type == DType::s8 && (row.op == "conv_2d" || row.op == "depthwise_conv_2d");
    // Made for variants that refuse most others.
    const bool pointwise = row.variant.ends_with("1x1");
    auto c = !layer || runsHere(row) || i % 2 == 0 ? randomCase(row.op, type, random)
             : pointwise                           ? pointwiseCase(uint32_t(i))
                                                   : layerCase(row.op, uint32_t(i));
    if (!c)
      FAIL("Cases.cpp makes no " << row.op.str());
    if (!row.reject(c->op).empty())
      continue;
    llvm::Expected<KernelCall> call = row.prepare(c->op);
    if (!call)
      FAIL(llvm::toString(call.takeError()));
    INFO("case " << i);
    check(*c, *call);
    ++accepted;
  }
  INFO("Cases.cpp makes too few operators that the kernel accepts");
  CHECK(accepted >= wanted / 4);
}

/// The rows this machine can run; prints the levels it cannot, once.
inline std::vector<const KernelRow *> runnableRows() {
  static std::set<std::string> skipped;
  std::vector<const KernelRow *> rows;
  for (const KernelRow &row : allKernels()) {
    if (runsHere(row)) {
      rows.push_back(&row);
      if (row.level.starts_with("avx512") && !hasAvx512() && skipped.insert("avx512").second)
        std::cout << "skipped: the instructions of AVX-512, which this CPU has not; its kernels "
                     "run as pairs of AVX2 vectors\n";
      continue;
    }
    if (skipped.insert(row.symbol.str()).second)
      std::cout << "skipped: " << row.symbol.str() << " needs a CPU with " << row.level.str()
                << "\n";
  }
  return rows;
}

} // namespace aotc::test
