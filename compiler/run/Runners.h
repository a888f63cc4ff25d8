// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways to run bundles, behind runBundles (Run.h), which has checked
// the cases with checkCase. What came of a case they ask judgeRun
// (MemoryCheck.h).
#pragma once

#include "compiler/run/Run.h"
#include "targets/Target.h"

namespace aotc {

/// Alignment of the arena's base that the bundle may rely on.
int64_t arenaAlign(const ModelInterface &interface, const TargetSpec &target);

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
