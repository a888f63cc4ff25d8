// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From rules between operands to rules between whole buffers.
#pragma once

#include "compiler/ir/InstrDialect.h"
#include "passes/planner/Planner.h"

namespace aotc {

/// Whether `rules` cover all that the instruction does with the two buffers: each
/// of its operands on `input` is an in, paired by a rule with its only operand on
/// `output`, an out.
bool rulesCover(instr::InstrOpInterface op, llvm::ArrayRef<instr::OverlapAttr> rules,
                mlir::Operation *input, mlir::Operation *output);

/// How the buffer `input`, if rulesCover() them (else the answer is too generous),
/// may share with the buffer `output`: alternatives, of which each covers every
/// use of the two. Distances are between the buffers' starts; the caller fills
/// in the planner's numbers. Empty: not at all.
llvm::SmallVector<planner::MayOverlap> overlapsOf(instr::InstrOpInterface op,
                                                  llvm::ArrayRef<instr::OverlapAttr> rules,
                                                  mlir::Operation *input, mlir::Operation *output);

} // namespace aotc
