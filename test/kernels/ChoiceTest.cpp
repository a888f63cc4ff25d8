// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry and the choice of a kernel.
#include "Cases.h"

#include "targets/Target.h"

#include "llvm/ADT/STLExtras.h"

#include <catch2/catch.hpp>

#include <set>

using namespace aotc;
using namespace aotc::test;

static TargetSpec portableTarget() {
  TargetSpec target;
  target.levels = "ref";
  return target;
}

TEST_CASE("kernel names are unique, portable rows come last") {
  std::set<std::string> symbols;
  bool portable = false;
  for (const KernelRow &row : allKernels()) {
    CHECK(symbols.insert(row.symbol.str()).second);
    CHECK(row.symbol == ("aotc_" + row.op + "_" + row.variant + "__" + row.level).str());
    CHECK(typeOfVariant(row.variant) != DType::none);
    portable |= row.level == "ref";
    CHECK((row.level == "ref") == portable);
  }
}

TEST_CASE("the chosen kernel is named") {
  Random random(1);
  auto c = randomCase("conv_2d", DType::f32, random);
  KernelChoice choice = chooseKernel(c->op, portableTarget());
  REQUIRE(choice.row);
  CHECK(choice.remark == "aotc_conv_2d_f32__ref");
}

TEST_CASE("better kernels' reasons follow the chosen one") {
  // Every level there is, "ref" last: all refusals come before the choice.
  TargetSpec target;
  for (const KernelRow &row : allKernels())
    if (!llvm::is_contained(target.levelList(), row.level))
      target.levels += (target.levels.empty() ? "" : ",") + row.level.str();
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    auto c = randomCase("conv_2d", DType::s8, random);
    KernelChoice all = chooseKernel(c->op, target);
    REQUIRE(all.row);
    CHECK(all.remark.find(all.row->symbol.str()) == 0);
    if (all.row->level == "ref")
      for (const KernelRow &row : allKernels())
        if (row.op == "conv_2d" && row.level != "ref" && row.variant.starts_with("s8"))
          CHECK(all.remark.find((row.symbol + " rejected: " + row.reject(c->op)).str()) !=
                std::string::npos);
    KernelChoice portable = chooseKernel(c->op, target, "ref");
    REQUIRE(portable.row);
    CHECK(portable.row->level == "ref");
  }
}

TEST_CASE("a refusal says why") {
  Random random(1);
  auto c = randomCase("conv_2d", DType::s8, random);
  c->op.inputs[1].isConstant = false;
  KernelChoice choice = chooseKernel(c->op, portableTarget());
  CHECK(!choice.row);
  CHECK(choice.remark == "weights are not constant");

  c->op.inputs[0].type = DType::s16;
  choice = chooseKernel(c->op, portableTarget());
  CHECK(!choice.row);
  CHECK(choice.remark == "no conv_2d kernel for s16 input (there are s8, f32)");

  c->op.op = "no_such_operator";
  CHECK(chooseKernel(c->op, portableTarget()).remark == "no kernel for no_such_operator");
}
