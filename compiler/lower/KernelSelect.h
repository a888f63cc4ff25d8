// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the kernels' host sides about every operator of a graph before a single
// instruction is made, so that all that is unsupported is reported at once.
#pragma once

#include "compiler/ir/NNDialect.h"
#include "compiler/support/Optimize.h"
#include "targets/Kernel.h"

#include "llvm/ADT/MapVector.h"

namespace aotc::lower {

/// The kernel of one operator, prepared.
struct SelectedKernel {
  KernelCall call;
  std::string remark; ///< why this kernel
};
using KernelSelection = llvm::MapVector<mlir::Operation *, SelectedKernel>;

/// The operator as kernels see it; an operand that is a constant seen through
/// reshapes counts as constant, under its last shape.
OperatorDesc describeForKernel(nn::NNOpInterface op);

/// Chooses and prepares a kernel for every operator of `function` that is
/// neither a constant nor a reshape, as README.md says. Emits one error per
/// operator that has none, "unsupported: operator 3 (CONV_2D) 'name': …", and
/// fails then. `onlyLevel` restricts the choice (empty: all levels of the target).
mlir::FailureOr<KernelSelection> selectKernels(mlir::func::FuncOp function,
                                               const TargetSpec &target, llvm::StringRef onlyLevel,
                                               Optimize optimize);

} // namespace aotc::lower
