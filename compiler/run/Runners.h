// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways to run bundles, behind runBundles (Run.h), which has checked
// the cases with checkCase. What came of a case they ask judgeRun
// (MemoryCheck.h).
#pragma once

#include "compiler/run/Run.h"
#include "targets/Target.h"

namespace aotc {

/// A bundle's blocks as one stretch of memory, the arena of a run: runners and
/// checks count in it, so that only calls know of several blocks. Painted gaps
/// lie between them. Where the stretch starts at an odd multiple of `align`,
/// each block is aligned as promised, and no better.
struct Stretch {
  int64_t bytes = 0, align = 1;
  std::vector<int64_t> starts; ///< of the blocks
};
Stretch stretchOf(const ModelInterface &interface);

/// The function that is called: NAME_run, or NAME_step.
std::string entryName(const RunCase &runCase);

/// Inputs as the interface demands them, all I/O inside the arena.
llvm::Error checkCase(const RunCase &runCase);

/// In a child process of this one, for Runner::inProcess.
llvm::Expected<std::vector<RunResult>>
runOnHost(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options);

/// Under QEMU, for Runner::qemuSystem and Runner::qemuUser.
llvm::Expected<std::vector<RunResult>>
runEmulated(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options);

} // namespace aotc
