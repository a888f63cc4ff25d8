// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From rules between operands to rules between whole buffers.
#pragma once

#include "compiler/ir/InstrDialect.h"
#include "passes/planner/Planner.h"

namespace aotc {

/// How the buffer `input`, if all that the instruction does with it is reading,
/// may share with the buffer `output`: alternatives, of which each covers every
/// use of the two. Distances are between the buffers' starts; the caller fills
/// in the planner's numbers. Empty: not at all.
llvm::SmallVector<planner::MayOverlap> overlapsOf(instr::InstrOpInterface op,
                                                  llvm::ArrayRef<instr::OverlapAttr> rules,
                                                  mlir::Operation *input, mlir::Operation *output);

} // namespace aotc
