// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When each buffer of an instruction function lives, by its markers and by its
// uses. Step 0 is the caller writing the inputs, steps 1 to n are the
// instructions in order, step n + 1 is the caller reading the outputs.
#pragma once

#include "compiler/ir/InstrDialect.h"

#include "llvm/ADT/DenseMap.h"

namespace aotc {

struct BufferLife {
  instr::AllocOp alloc;
  instr::DeallocOp dealloc; ///< null: missing
  /// By the markers, both inclusive. What livesFromStart() begins at 0, what
  /// livesToEnd() ends at n + 1, wherever their markers are.
  int64_t first = 0, last = 0;
  /// By the uses, through any view; the two exceptions as above.
  /// usedFirst > usedLast: no instruction touches it.
  int64_t usedFirst = 0, usedLast = -1;
};

class BufferLiveness {
public:
  /// Fails, with a diagnostic, if the function is not one block of
  /// instructions on statically shaped buffers, or writes to a constant.
  /// `who` is the flag of the pass that asks.
  static mlir::FailureOr<BufferLiveness> compute(mlir::func::FuncOp function, llvm::StringRef who);

  /// Fails, with a diagnostic, unless every buffer has a dealloc and lives no
  /// longer than its uses demand.
  llvm::LogicalResult requireTight(llvm::StringRef who) const;

  llvm::ArrayRef<BufferLife> buffers() const { return lives; }
  /// Index 0 is step 1.
  llvm::ArrayRef<instr::InstrOpInterface> instructions() const { return steps; }
  /// Index in buffers() of the buffer behind a value; -1 for constants.
  int indexOf(mlir::Value value) const;

private:
  llvm::SmallVector<BufferLife> lives;
  llvm::SmallVector<instr::InstrOpInterface> steps;
  llvm::DenseMap<mlir::Operation *, int> indices;
};

/// Discardable attribute of an instruction: those of its overlap rules that
/// are legal where it stands (share-buffers).
inline constexpr llvm::StringLiteral kSharesAttr = "instr.shares";

/// The rules recorded on an instruction; none if share-buffers has not run.
llvm::SmallVector<instr::OverlapAttr> recordedShares(mlir::Operation *op);

} // namespace aotc
