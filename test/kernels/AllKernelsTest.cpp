// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row of every Kernels.def: all ways to run a kernel give the same bits
// as one run over the whole, and fast variants give those of the portable one.
#include "EveryKernel.h"

using namespace aotc;
using namespace aotc::test;

constexpr int wanted = 60;

TEST_CASE("blocks of rows, in both directions, from scattered rows") {
  for (const KernelRow *row : runnableRows())
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, wanted, [&](const Case &c, const KernelCall &call) {
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

TEST_CASE("nothing is read behind inputs and scratch") {
  for (const KernelRow *row : runnableRows())
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, wanted, [&](const Case &c, const KernelCall &call) {
        for (bool descending : {false, true}) {
          RunOptions options;
          options.fenced = true;
          options.descending = descending;
          runKernel(call, c, options); // reads beyond are a fault
        }
      });
    }
}

static void compareWithPortable(const KernelRow &row, const Case &c, const KernelCall &call) {
  std::vector<char> fast = runKernel(call, c);
  const KernelRow *portable = nullptr;
  for (const KernelRow &other : allKernels())
    if (other.op == row.op && other.level == "ref" && other.reject(c.op).empty())
      portable = portable ? portable : &other;
  REQUIRE(portable);
  llvm::Expected<KernelCall> slowCall = portable->prepare(c.op);
  REQUIRE(bool(slowCall));
  std::vector<char> slow = runKernel(*slowCall, c);
  if (fast != slow) // floats, too: none of them is a NaN
    FAIL("differs from " << portable->symbol.str());
}

TEST_CASE("fast kernels give the portable kernel's results") {
  for (const KernelRow *row : runnableRows()) {
    if (row->level == "ref")
      continue;
    DYNAMIC_SECTION(row->symbol.str()) {
      forCases(*row, wanted,
               [&](const Case &c, const KernelCall &call) { compareWithPortable(*row, c, call); });
    }
  }
}

TEST_CASE("fast pools and means of many elements give the portable kernel's results") {
  for (const KernelRow *row : runnableRows()) {
    if (row->level == "ref")
      continue;
    Random random(7);
    int accepted = 0;
    for (int i = 0; i < wanted; ++i) {
      auto c = wideCase(row->op, typeOfVariant(row->variant), random);
      if (!c)
        break;
      if (!row->reject(c->op).empty())
        continue;
      llvm::Expected<KernelCall> call = row->prepare(c->op);
      REQUIRE(bool(call));
      INFO(row->symbol.str() << ", case " << i);
      compareWithPortable(*row, *c, *call);
      ++accepted;
    }
    CHECK((accepted || !wideCase(row->op, DType::s8, random)));
  }
}
