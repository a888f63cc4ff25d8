// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the importer takes also lowers, simplified or as it is in the file, for
// a CPU of every family; what lowering guarantees holds.
#include "test/simplify/SharedModels.h"

#include "compiler/driver/Pipeline.h"

#include <catch2/catch.hpp>

#include <iostream>

using namespace aotc;
using namespace aotc::test;

static bool lowers(mlir::ModuleOp module, const std::string &target, bool keepTensors) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  CompileOptions options;
  options.keepTensors = keepTensors;
  for (llvm::StringRef phase : {"simplify", "lower"})
    if (mlir::failed(runPhase(*copy, *findPhase(phase), options, *findTarget(target))))
      return false;
  return true;
}

TEST_CASE("models of the shared data", "[shared]") {
  int models =
      forEachSharedModel({"models", "unit", "conformance", "nets", "models_made", "bugs"},
                         [&](const std::string &name, mlir::ModuleOp module,
                             const std::vector<std::string> &messages) {
                           INFO(name);
                           for (const char *target : {"cortex-m4", "cortex-a53", "x86-64-v3"})
                             for (bool keepTensors : {false, true}) {
                               bool lowered = lowers(module, target, keepTensors);
                               INFO(target << (keepTensors ? ", tensors kept: " : ": ")
                                           << (messages.empty() ? "" : messages.back()));
                               CHECK(lowered);
                             }
                         });
  std::cout << models << " models\n";
}
