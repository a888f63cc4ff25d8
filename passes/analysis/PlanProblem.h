// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planning problem of an instruction function.
#pragma once

#include "passes/analysis/BufferLiveness.h"
#include "passes/analysis/CallerRegions.h"
#include "passes/planner/Problem.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace aotc {

struct PlanProblem {
  planner::Problem problem; ///< buffers in the order of BufferLiveness
  /// By Problem::mayOverlap: the instruction that allows it.
  llvm::SmallVector<instr::InstrOpInterface> instructionOf;
  RegionOwners owners; ///< by region
};

/// Lifetimes by the markers, overlaps as share-buffers recorded them; a buffer
/// that has an offset or a region keeps it. Fails, with a diagnostic of the pass
/// `who`, if a buffer wants a region that is not one of `regions`.
mlir::FailureOr<PlanProblem> planProblem(const BufferLiveness &liveness,
                                         llvm::ArrayRef<instr::RegionAttr> regions,
                                         llvm::StringRef who);

/// The same problem without some of its buffers.
planner::Problem withoutBuffers(const planner::Problem &problem,
                                llvm::function_ref<bool(const planner::Buffer &)> drop);

} // namespace aotc
