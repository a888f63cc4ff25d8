// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's table of contents:
//
//   model file --import--> nn --simplify--> nn --lower--> instr --memory-->
//   instr with offsets --emit--> LLVM --> object, header, map
//
// Each phase below lists its passes in order; the last one verifies what the
// phase guarantees. `emit` (compiler/emit/) is not made of MLIR passes. Phases.cpp
// runs the table: it stops, dumps and goes on where a file left off.
#include "compiler/driver/Pipeline.h"

#include "compiler/driver/MemoryOptions.h"
#include "compiler/lower/Passes.h"
#include "compiler/simplify/Passes.h"
#include "passes/Passes.h"

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
    // What can clamp is no table any more.
    function.addPass(simplify::createMergeTables());
    // One that stood between two reshapes is gone.
    function.addPass(simplify::createFoldReshape());
    // Clamps and paddings in their operators let more channels be constants.
    function.addPass(simplify::createRemoveChannels());
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
  lowering.optimize = options.optimize;
  pm.addPass(lower::createLowerToInstr(lowering));
  verifyLower(pm);
}

static void verifyMemory(OpPassManager &pm) { pm.nest<func::FuncOp>().addPass(createVerifyPlan()); }

// Where every byte lives; passes/README.md explains the order.
static void buildMemory(OpPassManager &pm, const CompileOptions &options, const TargetSpec &) {
  OpPassManager &function = pm.nest<func::FuncOp>();
  const ShareMode mode = options.share;
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
      {"import", "static shapes, known types, the user's names", false, nullptr, nullptr, nullptr},
      {"simplify", "nothing only moves data unless it must, no channel is constant or unread",
       false, nullptr, buildSimplify, nullptr},
      {"lower", "one kernel call per operator; all memory is explicit", true, nullptr, buildLower,
       verifyLower},
      {"memory", "an offset on every buffer, checked independently", true, writeMemoryOptions,
       buildMemory, verifyMemory},
  };
  return table;
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
