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

#include "compiler/driver/IoModes.h"
#include "compiler/ir/InstrDialect.h"
#include "compiler/lower/Passes.h"
#include "compiler/simplify/Passes.h"
#include "passes/Passes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace aotc {

// Graph rewritings, none of which changes a bit of the result.
static void buildSimplify(OpPassManager &pm, const CompileOptions &options, const TargetSpec &) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  if (!options.keepTensors) {
    // Dead users would keep the folds below from seeing the only live one.
    function.addPass(simplify::createRemoveDeadOps());
    // What moves nothing may stand between two TRANSPOSEs, as may a DEQUANTIZE
    // and a QUANTIZE, between which in turn a TRANSPOSE may stand.
    function.addPass(simplify::createFoldReshape());
    function.addPass(simplify::createFoldTranspose());
    // A removed QUANTIZE may stand between two reshapes, or before an activation.
    function.addPass(simplify::createFoldQuantize());
    function.addPass(simplify::createFoldTranspose());
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

static void verifyLower(OpPassManager &pm) { pm.addPass(lower::createVerifyLowered()); }

// One kernel instruction per operator; the target is known from here on.
static void buildLower(OpPassManager &pm, const CompileOptions &options, const TargetSpec &target) {
  lower::LowerToInstrOptions lowering;
  lowering.target = target.name;
  lowering.kernelLevel = options.kernelLevel;
  lowering.blockRows = options.blockRows;
  pm.addPass(lower::createLowerToInstr(lowering));
  verifyLower(pm);
}

static void verifyMemory(OpPassManager &pm) { pm.nest<func::FuncOp>().addPass(createVerifyPlan()); }

// Where every byte lives; passes/README.md explains the order.
static void buildMemory(OpPassManager &pm, const CompileOptions &options, const TargetSpec &) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  ShareMode mode = options.share == Sharing::none      ? ShareMode::none
                   : options.share == Sharing::inPlace ? ShareMode::inPlace
                                                       : ShareMode::overlap;
  function.addPass(createPlaceIO());
  if (!options.keepTensors) {
    ForwardCopiesOptions forward;
    forward.share = mode;
    function.addPass(createForwardCopies(forward));
    function.addPass(createRemoveDeadBuffers());
  }
  ScheduleOptions schedule;
  schedule.share = mode;
  schedule.shuffle = options.shuffle;
  // Each of its states takes memory.
  schedule.stateLimit =
      planner::OrderOptions().stateLimit * std::min<int64_t>(options.planEffort, 8);
  function.addPass(createSchedule(schedule));
  function.addPass(createTightenLifetimes());
  ShareBuffersOptions share;
  share.mode = mode;
  share.direction = options.descending ? ShareDirection::descending : ShareDirection::any;
  function.addPass(createShareBuffers(share));
  function.addPass(createAnnotateUsedMemory());
  PlanMemoryOptions plan;
  plan.share = mode;
  plan.effort = options.planEffort;
  plan.givenPlan = options.plan;
  plan.savePlan = options.savePlan;
  function.addPass(createPlanMemory(plan));
  AdviseOptions advise;
  advise.share = mode;
  function.addPass(createAdvise(advise));
  verifyMemory(pm);
}

llvm::ArrayRef<Phase> phases() {
  static const Phase table[] = {
      {"import", "static shapes, known types, the user's names", false, nullptr, nullptr},
      {"simplify", "nothing only moves data unless it must", false, buildSimplify, nullptr},
      {"lower", "one kernel call per operator; all memory is explicit", true, buildLower,
       verifyLower},
      {"memory", "an offset on every buffer, checked independently", true, buildMemory,
       verifyMemory},
  };
  return table;
}

const Phase *findPhase(llvm::StringRef name) {
  for (const Phase &phase : phases())
    if (phase.name == name)
      return &phase;
  return nullptr;
}

static LogicalResult dump(ModuleOp module, const CompileOptions &options, size_t index,
                          const Phase &phase) {
  if (options.dumpPhases.empty())
    return success();
  llvm::SmallString<128> path(options.dumpPhases);
  std::error_code error =
      llvm::sys::fs::create_directories(path, /*IgnoreExisting=*/true, llvm::sys::fs::all_all);
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

/// What a dumped module has behind it, so that compilation can go on from it.
static constexpr StringLiteral kPhaseAttr = "aotc.phase", kTargetAttr = "aotc.target";

static LogicalResult fail(ModuleOp module, const Twine &text) {
  return emitError(UnknownLoc::get(module.getContext())) << text.str();
}

/// The number of phases done, after checking what the last one promised: a
/// file may have been edited. IR without a record that has buffers counts as
/// lowered, other IR as imported.
static FailureOr<size_t> resume(ModuleOp module, const CompileOptions &options,
                                const TargetSpec &target) {
  StringRef name = "import";
  bool lowered =
      module.walk([](instr::AllocOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (lowered)
    name = "lower";
  if (auto recorded = module->getAttrOfType<StringAttr>(kPhaseAttr))
    name = recorded.getValue();
  const Phase *last = findPhase(name);
  if (!last)
    return fail(module, "this IR records an unknown phase '" + name + "'");
  auto recordedTarget = module->getAttrOfType<StringAttr>(kTargetAttr);
  if (recordedTarget && recordedTarget.getValue() != target.name)
    return fail(module, "this IR was lowered for '" + recordedTarget.getValue() + "', not for '" +
                            target.name + "'; give --target " + recordedTarget.getValue() +
                            ", or go on from the IR of an earlier phase");
  if (last->verify) {
    PassManager pm(module.getContext());
    last->verify(pm);
    if (failed(pm.run(module)))
      return failure();
  }
  size_t done = last - phases().begin() + 1;
  const Phase *stop = findPhase(options.stopAfter);
  if (stop && static_cast<size_t>(stop - phases().begin()) + 1 < done)
    return fail(module, "this IR has phase '" + stop->name + "' behind it; stop after a later one");
  bool planned = done > size_t(findPhase("memory") - phases().begin());
  if (planned && !(options.plan.empty() && options.savePlan.empty()))
    return fail(module, "this IR is planned already; --plan and --save-plan need IR of an earlier "
                        "phase");
  return done;
}

/// What the planner may use, as it reads it.
static void writeRegions(ModuleOp module, const CompileOptions &options) {
  SmallVector<Attribute> regions;
  for (const MemoryRegion &region : options.regions)
    regions.push_back(instr::RegionAttr::get(module.getContext(), region.name, region.capacity,
                                             region.cost, region.align, region.base, region.section,
                                             /*used=*/std::nullopt));
  for (auto function : module.getOps<func::FuncOp>())
    function->setAttr(instr::kRegionsAttr, ArrayAttr::get(module.getContext(), regions));
}

LogicalResult runPhases(ModuleOp module, const CompileOptions &options, const TargetSpec &target,
                        llvm::raw_ostream &ir, bool &stopped) {
  stopped = false;
  FailureOr<size_t> done = resume(module, options, target);
  if (failed(done))
    return failure();
  Builder builder(module.getContext());
  bool places =
      !options.regions.empty() || !options.inputModes.empty() || !options.outputModes.empty();
  if (places && *done == phases().size())
    return fail(module, "this IR is planned already, so memory regions and the modes of inputs and "
                        "outputs come too late; go on from the IR of an earlier phase");
  for (auto [index, phase] : llvm::enumerate(phases())) {
    if (index >= *done) {
      if (phase.build == buildMemory && !options.regions.empty())
        writeRegions(module, options);
      if (phase.build == buildMemory && failed(writeIoModes(module, options)))
        return failure();
      if (failed(runPhase(module, phase, options, target)))
        return failure();
      module->setAttr(kPhaseAttr, builder.getStringAttr(phase.name));
      if (phase.needsTarget)
        module->setAttr(kTargetAttr, builder.getStringAttr(target.name));
    }
    if (index + 1 >= *done && failed(dump(module, options, index, phase)))
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
      PassPipelineRegistration<>(
          "aotc-phase-" + phase.name.str(), "the whole phase: " + phase.guarantee.str(),
          [&phase](OpPassManager &pm) { phase.build(pm, CompileOptions(), *findTarget("host")); });
}

} // namespace aotc
