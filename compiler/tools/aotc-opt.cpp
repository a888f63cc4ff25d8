// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// aotc-opt: parses, verifies and prints `nn` and `instr` IR and runs any pass
// on it (lit tests, debugging).
#include "compiler/driver/Pipeline.h"
#include "compiler/ir/InstrDialect.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect, mlir::memref::MemRefDialect, mlir::quant::QuantDialect,
                  aotc::nn::NNDialect, aotc::instr::InstrDialect>();
  mlir::registerTransformsPasses();
  aotc::registerPassesAndPhases();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "aotc IR tool\n", registry));
}
