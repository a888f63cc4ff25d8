// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two ways to run bundles, behind runBundles (Run.h), which has checked
// the cases with checkCase.
#pragma once

#include "compiler/run/Run.h"
#include "targets/Target.h"

namespace aotc {

/// "block 'dtcm'", or "arena" if the model has one block.
std::string describeBlock(const ModelInterface &interface, size_t block);

/// Inputs as the interface demands them, all I/O inside its block.
llvm::Error checkCase(const RunCase &runCase);

/// In a child process of this one, for Runner::inProcess.
llvm::Expected<std::vector<RunResult>>
runOnHost(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options);

/// Under QEMU, for Runner::qemuSystem and Runner::qemuUser.
llvm::Expected<std::vector<RunResult>>
runEmulated(llvm::ArrayRef<RunCase> cases, const TargetSpec &target, const RunOptions &options);

} // namespace aotc
