// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long chains of reshapes: no recursion may follow them.
#include "compiler/driver/Pipeline.h"
#include "compiler/ir/InstrDialect.h"

#include "mlir/Parser/Parser.h"

#include <catch2/catch.hpp>

using namespace aotc;

/// x -> RELU -> `count` reshapes -> RELU -> y.
static std::string chain(int count) {
  const char *types[] = {"tensor<4xf32>", "tensor<2x2xf32>"};
  std::string text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                     "%0 = nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>\n";
  for (int i = 0; i < count; ++i)
    text += "%" + std::to_string(i + 1) + " = nn.reshape %" + std::to_string(i) + " : (" +
            types[i % 2] + ") -> " + types[(i + 1) % 2] + "\n";
  return text + "%y = nn.relu %" + std::to_string(count) +
         " : (tensor<4xf32>) -> tensor<4xf32>\nreturn %y : tensor<4xf32>\n}\n";
}

TEST_CASE("60,000 reshapes in a chain") {
  constexpr int count = 60000;
  mlir::DialectRegistry registry;
  registry.insert<nn::NNDialect, instr::InstrDialect, mlir::func::FuncDialect,
                  mlir::memref::MemRefDialect, mlir::quant::QuantDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(chain(count), &context);
  REQUIRE(module);
  CompileOptions options;
  options.keepTensors = true;
  const TargetSpec &target = *findTarget("cortex-m4");
  for (llvm::StringRef phase : {"simplify", "lower", "memory"}) {
    INFO(phase.str());
    REQUIRE(mlir::succeeded(runPhase(*module, *findPhase(phase), options, target)));
  }
  auto main = module->lookupSymbol<mlir::func::FuncOp>("main");
  int views = 0, allocs = 0;
  for (mlir::Operation &op : main.getBody().front()) {
    views += mlir::isa<instr::ViewOp>(op);
    allocs += mlir::isa<instr::AllocOp>(op);
  }
  CHECK(views == count);
  CHECK(allocs == 3); // x, the first RELU's result, y
}
