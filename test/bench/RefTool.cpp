// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench-ref PLANNED.mlir TARGET BITCODE: what a planned module (of `aotc compile
// --kernels ref --dump-phases`) takes if its kernels come from BITCODE and all
// is optimised by default<O3>: the instructions of one inference. The baseline
// of AArch64 in ./dev bench.
#include "compiler/driver/Execution.h"
#include "compiler/emit/Emit.h"
#include "compiler/ir/InstrDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace aotc;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << '\n';
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return fail("usage: bench-ref PLANNED.mlir TARGET BITCODE");
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect, mlir::memref::MemRefDialect,
                      mlir::quant::QuantDialect, nn::NNDialect, instr::InstrDialect>();
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  const TargetSpec *target = findTarget(argv[2]);
  auto bitcode = llvm::MemoryBuffer::getFile(argv[3]);
  if (!module || !target || !bitcode)
    return fail("bad module, target or bitcode");

  EmitOptions options;
  options.name = "model";
  options.optimizationLevel = 3;
  auto kernels = [&](llvm::StringRef, Family) { return (*bitcode)->getBuffer(); };
  options.kernels = kernels;
  auto bundle = emitBundle(*module, *target, options);
  if (!bundle)
    return fail(llvm::toString(bundle.takeError()));

  RunCase runCase;
  runCase.interface = &bundle->interface;
  runCase.object = bundle->bytes(".o");
  auto inputs = loadInputs(InferenceCommand(), bundle->interface);
  if (!inputs)
    return fail(llvm::toString(inputs.takeError()));
  runCase.inputs = inputs->tensors;
  auto results = runBundles(runCase, *target);
  if (!results)
    return fail(llvm::toString(results.takeError()));
  if (!results->front().instructions)
    return fail("instructions were not counted");
  llvm::outs() << *results->front().instructions << '\n';
  return 0;
}
