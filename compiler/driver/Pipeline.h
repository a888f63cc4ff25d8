// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The phases of the compiler. Pipeline.cpp is its table of contents.
#pragma once

#include "compiler/driver/Options.h"
#include "targets/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace aotc {

/// One phase: what it is called (--stop-after), what it does to the module and
/// what holds when it ends (checked by the last pass it adds).
struct Phase {
  llvm::StringRef name;
  llvm::StringRef guarantee;
  /// Whether the result holds for one target only.
  bool needsTarget;
  /// Writes what the user chose for the passes into the module; may be null.
  mlir::LogicalResult (*prepare)(mlir::ModuleOp, const CompileOptions &);
  /// Adds the phase's passes; null for `import`, which makes the module.
  void (*build)(mlir::OpPassManager &, const CompileOptions &, const TargetSpec &);
  /// Adds the check of the guarantee alone, for IR read from a file; may be null.
  void (*verify)(mlir::OpPassManager &);
};

/// All phases that work on MLIR, in order; `emit` follows them.
llvm::ArrayRef<Phase> phases();

/// The phase of that name, or null.
const Phase *findPhase(llvm::StringRef name);

/// Runs one phase on a module.
mlir::LogicalResult runPhase(mlir::ModuleOp module, const Phase &phase,
                             const CompileOptions &options, const TargetSpec &target);

/// Runs the phases that a module does not have behind it, honouring stopAfter and
/// dumpPhases; an option of a phase done is an error. `stopped` tells that the IR was printed to
/// `ir` and that there is nothing more to do.
mlir::LogicalResult runPhases(mlir::ModuleOp module, const CompileOptions &options,
                              const TargetSpec &target, llvm::raw_ostream &ir, bool &stopped);

/// The options that have shaped the module so far, in the order of the phases, as
/// the artefacts record them; also those of a run that ended in a dumped file.
llvm::StringRef recordedOptions(mlir::ModuleOp module);

/// Registers all passes, and each phase as the pipeline --aotc-phase-NAME (for
/// the host), with MLIR's command line (aotc-opt).
void registerPassesAndPhases();

} // namespace aotc
