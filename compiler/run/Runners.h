// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways to run bundles, behind runBundles (Run.h), which has checked
// the cases with checkCase. What came of a case they ask judgeRun
// (MemoryCheck.h).
#pragma once

#include "compiler/run/Run.h"
#include "targets/Target.h"

namespace aotc {

/// "block 'dtcm'", or "arena" if the model has one block.
std::string describeBlock(const ModelInterface &interface, size_t block);

/// The blocks of a bundle in one stretch of memory, guards between them, which
/// the runners paint and bring back as a whole. One block: the arena.
struct MemoryLayout {
  std::vector<int64_t> starts; ///< by region, from the stretch's start
  int64_t bytes = 0;
  /// The stretch starts at an odd multiple: so no block is better aligned than
  /// the bundle may rely on.
  int64_t align = 1;
  int64_t at(size_t region, int64_t offset) const { return starts[region] + offset; }
};
MemoryLayout layOutBlocks(const ModelInterface &interface);

/// What is read back after each call: the outputs, then the inputs that the
/// bundle must leave as they were, which judgeRun() compares.
std::vector<IoTensor> tensorsAfterCall(const ModelInterface &interface);

/// The function that is called: NAME_run, or NAME_step.
std::string entryName(const RunCase &runCase);

/// Layers around which the bundle calls hooks: all, if it has any.
inline size_t hookedLayers(const RunCase &runCase) {
  return runCase.interface->hooks ? runCase.interface->layers.size() : 0;
}

/// Inputs as the interface demands them, all I/O inside its block.
llvm::Error checkCase(const RunCase &runCase);

/// In a child process of this one, for Runner::inProcess.
llvm::Expected<std::vector<RunResult>>
runOnHost(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options);

/// Under QEMU, for Runner::qemuSystem and Runner::qemuUser.
llvm::Expected<std::vector<RunResult>>
runEmulated(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options);

} // namespace aotc
