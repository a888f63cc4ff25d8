// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the phases of Pipeline.cpp: stops after one, dumps all, goes on from a
// file that holds the result of one.
#include "compiler/driver/Pipeline.h"

#include "compiler/ir/InstrDialect.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace aotc {

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
  if (phase.prepare && failed(phase.prepare(module, options)))
    return failure();
  if (!phase.build)
    return success();
  PassManager pm(module.getContext());
  phase.build(pm, options, target);
  return pm.run(module);
}

/// What a dumped module has behind it, so that compilation can go on from it.
static constexpr StringLiteral kPhaseAttr = "aotc.phase", kTargetAttr = "aotc.target",
                               kOptionsAttr = "aotc.options";

StringRef recordedOptions(ModuleOp module) {
  auto recorded = module->getAttrOfType<StringAttr>(kOptionsAttr);
  return recorded ? recorded.getValue() : "";
}

/// Adds those options that `phase` has honoured.
static void recordOptions(ModuleOp module, const Phase &phase, const CompileOptions &options) {
  std::string text = recordedOptions(module).str();
  for (const ChosenOption &option : chosenOptions(options))
    if (option.phase == phase.name && option.changesResult)
      text += (text.empty() ? "" : " ") + option.text;
  if (!text.empty())
    module->setAttr(kOptionsAttr, StringAttr::get(module.getContext(), text));
}

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
  for (const ChosenOption &option : chosenOptions(options))
    if (size_t(findPhase(option.phase) - phases().begin()) < done)
      return fail(module, "this IR has phase '" + option.phase + "' behind it, so " + option.text +
                              " comes too late; go on from the IR of an earlier phase");
  return done;
}

LogicalResult runPhases(ModuleOp module, const CompileOptions &given, const TargetSpec &target,
                        llvm::raw_ostream &ir, bool &stopped) {
  stopped = false;
  FailureOr<size_t> done = resume(module, given, target);
  if (failed(done))
    return failure();
  Builder builder(module.getContext());
  CompileOptions options = given;
  // The one option that two phases read.
  options.keepTensors |=
      llvm::is_contained(llvm::split(recordedOptions(module), ' '), kKeepTensors);
  for (auto [index, phase] : llvm::enumerate(phases())) {
    if (index >= *done) {
      if (failed(runPhase(module, phase, options, target)))
        return failure();
      module->setAttr(kPhaseAttr, builder.getStringAttr(phase.name));
      recordOptions(module, phase, given);
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

} // namespace aotc
