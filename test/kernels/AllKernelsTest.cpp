// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of every Kernels.def: all ways to run a kernel give the same bits
// as one run over the whole, and fast variants give those of the portable one.
#include "Harness.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <iostream>
#include <set>

using namespace aotc;
using namespace aotc::test;

constexpr int wanted = 60, attempts = 1500;

/// Calls `check` for operators that `row` accepts.
template <typename Check>
static void forCases(const KernelRow &row, Check check) {
  Random random(7);
  int accepted = 0;
  for (int i = 0; i < attempts && accepted < wanted; ++i) {
    auto c = randomCase(row.op, typeOfVariant(row.variant), random);
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
static std::vector<const KernelRow *> runnableRows() {
  static std::set<std::string> skipped;
  std::vector<const KernelRow *> rows;
  for (const KernelRow &row : allKernels()) {
    if (runsHere(row)) {
      rows.push_back(&row);
      continue;
    }
    if (skipped.insert(row.symbol.str()).second)
      std::cout << "skipped: " << row.symbol.str() << " needs a CPU with "
                << row.level.str() << "\n";
  }
  return rows;
}

TEST_CASE("blocks of rows, in both directions, from scattered rows") {
  for (const KernelRow *row : runnableRows())
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, [&](const Case &c, const KernelCall &call) {
        CHECK(call.level == row->level);
        const std::vector<char> whole = runKernel(call, c);
        for (bool descending : {false, true})
          for (int64_t blockRows : {0, 1, 2, 3}) {
            INFO("blocks of " << blockRows << (descending ? ", down" : ", up"));
            RunOptions options;
            options.descending = descending;
            options.blockRows = call.rows ? blockRows : 0;
            options.scattered = call.rows.has_value();
            // Another poison: what leaks into results shows.
            options.poison = char(0xAA);
            if (runKernel(call, c, options) != whole)
              FAIL("differs from the run over the whole");
          }
      });
    }
}

TEST_CASE("input and output overlap as far as the kernel says") {
  for (const KernelRow *row : runnableRows())
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, [&](const Case &c, const KernelCall &call) {
        const std::vector<char> apart = runKernel(call, c);
        for (const OverlapRule &rule : call.overlaps)
          for (bool descending : {false, true}) {
            std::optional<int64_t> distance =
                descending ? rule.descending : rule.ascending;
            if (!distance)
              continue;
            // The smallest distance, and the next one allowed.
            int64_t unit = std::max(
                {rule.multiple,
                 dtypeSize(c.op.inputs[call.operands[rule.input]].type),
                 dtypeSize(c.op.outputs[0].type)});
            int64_t least =
                (*distance + (*distance > 0 ? unit - 1 : 0)) / unit * unit;
            for (int64_t d : {least, least + unit}) {
              RunOptions options;
              options.descending = descending;
              options.blockRows = call.rows ? call.rows->blockRows : 0;
              options.overlap = true;
              options.overlapped = rule.input;
              options.distance = descending ? -d : d;
              INFO("distance " << d << (descending ? ", down" : ", up"));
              if (runKernel(call, c, options) != apart)
                FAIL("differs from the run with separate buffers");
            }
          }
      });
    }
}

TEST_CASE("fast kernels give the portable kernel's results") {
  for (const KernelRow *row : runnableRows()) {
    if (row->level == "ref")
      continue;
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, [&](const Case &c, const KernelCall &call) {
        std::vector<char> fast = runKernel(call, c);
        const KernelRow *portable = nullptr;
        for (const KernelRow &other : allKernels())
          if (other.op == row->op && other.level == "ref" &&
              other.reject(c.op).empty())
            portable = portable ? portable : &other;
        REQUIRE(portable);
        llvm::Expected<KernelCall> slowCall = portable->prepare(c.op);
        REQUIRE(bool(slowCall));
        std::vector<char> slow = runKernel(*slowCall, c);
        if (c.op.outputs[0].type != DType::f32) {
          if (fast != slow)
            FAIL("differs from " << portable->symbol.str());
          return;
        }
        for (size_t i = 0; i < slow.size(); i += 4) {
          float a, b;
          memcpy(&a, &fast[i], 4);
          memcpy(&b, &slow[i], 4);
          if (!(std::abs(a - b) <= 1e-4f + 1e-5f * std::abs(b)))
            FAIL("element " << i / 4 << ": " << a << " is not " << b);
        }
      });
    }
  }
}
