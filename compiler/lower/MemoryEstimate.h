// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory lives while an operator runs, before there is a plan: what the
// choice of a kernel needs to know of scratch and overlap distances.
#pragma once

#include "compiler/ir/NNDialect.h"
#include "targets/Kernel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace aotc::lower {

/// Of a function of tensors whose operators run in the order of the text, all
/// tensors but constants in one arena, alignment aside. The memory phase can do
/// better where another order, or memory of the caller's, lowers the peak.
class MemoryEstimate {
public:
  explicit MemoryEstimate(mlir::func::FuncOp function);

  /// Bytes while `op` runs as `call`: all that lives before and behind it, its
  /// scratch, and its operands and results, one of which may lie over an operand
  /// that dies here, as closely as the call allows.
  int64_t during(nn::NNOpInterface op, const KernelCall &call) const;

  /// Most bytes of tensors that live at the same time, an operator's operands and
  /// results among them: what an arena in which no two of them share a byte, and
  /// nothing else stands, takes at least.
  int64_t peakWithoutSharing() const { return *llvm::max_element(live); }

private:
  struct Life {
    int64_t last = 0;  ///< position of the last reader
    int64_t bytes = 0; ///< of the tensor
  };
  /// The operand's tensor if `op` is its last reader and reads it once; else null.
  const Life *dying(nn::NNOpInterface op, const KernelCall &call, int64_t operand) const;

  llvm::DenseMap<mlir::Value, Life> lives;
  llvm::DenseMap<mlir::Operation *, int64_t> positions;
  std::vector<int64_t> live; ///< bytes, by position
};

} // namespace aotc::lower
