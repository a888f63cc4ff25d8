// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a bundle may do to its caller's memory, from the plan, and whether a run
// kept to it. The runners only paint and bring back bytes.
#pragma once

#include "compiler/run/Run.h"

namespace aotc {

/// One filling of one case, as it was left. `below` and `above` are the bytes
/// around the arena; all were painted sim_paint(filling) (harness/protocol.h).
struct FilledRun {
  RunResult result; ///< status, outputs and figures
  std::string below, arena, above;
  int64_t badStep = -1, badOffset = -1; ///< found by harness/step_check.c
};

/// The table of harness/step_check.h. Live before a step are buffers that an
/// earlier step wrote, and inputs and state, up to their last use.
std::vector<uint64_t> stepTable(const ModelInterface &interface);

/// One result from those of all fillings, or what the bundle did wrong: wrote
/// around its arena, between its buffers, or in a step what is not that step's;
/// returned an error; has outputs that depend on what its memory held before.
llvm::Expected<RunResult> judgeRun(const RunCase &runCase, llvm::MutableArrayRef<FilledRun> runs);

} // namespace aotc
