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

#include "compiler/ir/InstrDialect.h"
#include "compiler/lower/Passes.h"
#include "compiler/simplify/Passes.h"
#include "passes/Passes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace aotc {

// Graph rewritings, none of which changes a bit of the result.
static void buildSimplify(OpPassManager &pm, const CompileOptions &options,
                          const TargetSpec &) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  if (!options.keepTensors) {
    // Dead users would keep the folds below from seeing the only live one.
    function.addPass(simplify::createRemoveDeadOps());
    // A removed QUANTIZE may stand between two reshapes, or before an activation.
    function.addPass(simplify::createFoldQuantize());
    function.addPass(simplify::createFoldReshape());
    function.addPass(simplify::createFoldConstants());
    function.addPass(simplify::createFoldPad());
    function.addPass(simplify::createFoldActivation());
    function.addPass(simplify::createMergeConstants());
    // Operands of what was folded.
    function.addPass(simplify::createRemoveDeadOps());
    function.addPass(simplify::createVerifySimplified());
  }
  if (options.exposeTensors)
    function.addPass(simplify::createExposeTensors());
}

// One kernel instruction per operator; the target is known from here on.
static void buildLower(OpPassManager &pm, const CompileOptions &options,
                       const TargetSpec &target) {
  lower::LowerToInstrOptions lowering;
  lowering.target = target.name;
  lowering.kernelLevel = options.kernelLevel;
  lowering.blockRows = options.blockRows;
  pm.addPass(lower::createLowerToInstr(lowering));
  pm.addPass(lower::createVerifyLowered());
}

// Where every byte lives; passes/README.md explains the order.
static void buildMemory(OpPassManager &pm, const CompileOptions &options,
                        const TargetSpec &) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  function.addPass(createTightenLifetimes());
  ShareBuffersOptions share;
  share.mode = options.share == Sharing::none      ? ShareMode::none
               : options.share == Sharing::inPlace ? ShareMode::inPlace
                                                   : ShareMode::overlap;
  share.direction = options.descending ? ShareDirection::descending : ShareDirection::any;
  function.addPass(createShareBuffers(share));
  function.addPass(createAnnotateUsedMemory());
  function.addPass(createPlanMemory());
  function.addPass(createVerifyPlan());
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
  std::error_code error = llvm::sys::fs::create_directories(
      path, /*IgnoreExisting=*/true, llvm::sys::fs::all_all);
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

LogicalResult runPhase(ModuleOp module, const Phase &phase, const CompileOptions &options,
                       const TargetSpec &target) {
  if (!phase.build)
    return success();
  PassManager pm(module.getContext());
  phase.build(pm, options, target);
  return pm.run(module);
}

/// How many phases a module has behind it: it may come from --dump-phases.
static size_t phasesDone(ModuleOp module) {
  bool lowered = false, planned = true;
  module.walk([&](instr::AllocOp alloc) {
    lowered = true;
    planned &= alloc.getOffset().has_value();
  });
  // import, simplify, lower, memory. Simplifying twice does no harm.
  return !lowered ? 0 : planned ? 4 : 3;
}

LogicalResult runPhases(ModuleOp module, const CompileOptions &options,
                        const TargetSpec &target, llvm::raw_ostream &ir,
                        bool &stopped) {
  stopped = false;
  size_t done = phasesDone(module);
  // What is lowered is lowered for one target, which the text alone doesn't show.
  constexpr llvm::StringLiteral targetAttribute("instr.target");
  if (auto lowered = module->getAttrOfType<StringAttr>(targetAttribute);
      lowered && lowered.getValue() != target.name)
    return module.emitError("this IR was lowered for '")
           << lowered.getValue() << "', not for '" << target.name << "'; give --target "
           << lowered.getValue() << ", or go on from the IR of an earlier phase";
  for (const Phase &phase : phases().take_front(done))
    if (options.stopAfter == phase.name)
      return module.emitError("this IR has phase '")
             << phase.name << "' behind it; stop after a later one";
  for (auto [index, phase] : llvm::enumerate(phases())) {
    if (index < done)
      continue;
    if (failed(runPhase(module, phase, options, target)))
      return failure();
    if (phase.build == buildLower)
      module->setAttr(targetAttribute, StringAttr::get(module.getContext(), target.name));
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

void registerPassesAndPhases() {
  simplify::registerAotcSimplifyPasses();
  lower::registerAotcLowerPasses();
  registerAotcPasses();
  for (const Phase &phase : phases())
    if (phase.build)
      // Lives as long as MLIR's registry, which keeps a copy.
      PassPipelineRegistration<>("aotc-phase-" + phase.name.str(),
                                 "the whole phase: " + phase.guarantee.str(),
                                 [&phase](OpPassManager &pm) {
                                   phase.build(pm, CompileOptions(), *findTarget("host"));
                                 });
}

} // namespace aotc
