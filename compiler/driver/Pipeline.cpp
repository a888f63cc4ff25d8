// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's table of contents:
//
//   model file --import--> nn --simplify--> nn --lower--> instr --memory-->
//   instr with offsets --emit--> LLVM --> object, header, map
//
// Each phase below lists its passes in order; the last one verifies what the
// phase guarantees. `emit` (compiler/emit/) is not made of MLIR passes.
#include "compiler/driver/Pipeline.h"

#include "compiler/lower/Passes.h"
#include "compiler/simplify/Passes.h"
#include "passes/Passes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace aotc {

// Graph rewritings that never change a bit of the result. Dead operators go
// first, so that a dead user does not keep a fold from happening.
static void buildSimplify(OpPassManager &pm, const CompileOptions &options,
                          const TargetSpec &) {
  if (!options.keepTensors) {
    pm.addPass(nn::createRemoveDeadOps());
    pm.addPass(nn::createFoldConstants());
    pm.addPass(nn::createFoldQuantize());
    pm.addPass(nn::createFoldReshape());
    pm.addPass(nn::createFoldPad());
    pm.addPass(nn::createFoldActivation());
    pm.addPass(nn::createRemoveDeadOps());
  }
  if (options.exposeTensors)
    pm.addPass(nn::createExposeTensors());
  pm.addPass(nn::createVerifySimplified());
}

// One kernel instruction per operator; the target is known from here on.
static void buildLower(OpPassManager &pm, const CompileOptions &options,
                       const TargetSpec &target) {
  instr::LowerToInstrOptions lower;
  lower.target = target.name;
  lower.kernelLevel = options.kernelLevel;
  lower.blockRows = options.blockRows;
  pm.addPass(instr::createLowerToInstr(lower));
  pm.addPass(instr::createVerifyLowered());
}

// Where every byte lives. The order is explained in passes/README.md.
static void buildMemory(OpPassManager &pm, const CompileOptions &options,
                        const TargetSpec &target) {
  pm.addPass(instr::createTightenLifetimes());
  instr::ShareBuffersOptions share;
  pm.addPass(instr::createShareBuffers(share));
  pm.addPass(instr::createAnnotateUsedMemory());
  pm.addPass(instr::createPlanMemory());
  pm.addPass(instr::createVerifyPlan());
}

llvm::ArrayRef<Phase> phases() {
  static const Phase table[] = {
      {"import", "static shapes, known types, the user's names", nullptr},
      {"simplify", "nothing only moves data unless it must", buildSimplify},
      {"lower", "one kernel call per operator; all memory is explicit", buildLower},
      {"memory", "an offset on every buffer, checked independently", buildMemory},
  };
  return table;
}

const Phase *findPhase(llvm::StringRef name) {
  for (const Phase &phase : phases())
    if (phase.name == name)
      return &phase;
  return nullptr;
}

static LogicalResult dump(ModuleOp module, const CompileOptions &options,
                          size_t index, const Phase &phase) {
  if (options.dumpPhases.empty())
    return success();
  llvm::SmallString<128> path(options.dumpPhases);
  std::error_code error = llvm::sys::fs::create_directories(path);
  llvm::sys::path::append(path, llvm::Twine(index) + "-" + phase.name + ".mlir");
  if (!error) {
    llvm::raw_fd_ostream file(path, error);
    if (!error)
      module.print(file);
  }
  if (error)
    return emitError(UnknownLoc::get(module.getContext()))
           << "cannot write '" << path << "': " << error.message();
  return success();
}

LogicalResult runPhases(ModuleOp module, const CompileOptions &options,
                        const TargetSpec &target, llvm::raw_ostream &ir,
                        bool &stopped) {
  stopped = false;
  for (auto [index, phase] : llvm::enumerate(phases())) {
    if (phase.build) {
      PassManager pm(module.getContext());
      pm.enableVerifier(true);
      phase.build(pm, options, target);
      if (failed(pm.run(module)))
        return failure();
    }
    if (failed(dump(module, options, index, phase)))
      return failure();
    if (options.stopAfter == phase.name) {
      module.print(ir);
      stopped = true;
      return success();
    }
  }
  return success();
}

void registerAllPasses() {
  nn::registerSimplifyPasses();
  instr::registerLowerPasses();
  instr::registerMemoryPasses();
}

} // namespace aotc
