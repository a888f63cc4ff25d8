// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last phase: a planned `instr` module becomes the artefacts of a bundle.
#pragma once

#include "compiler/emit/Bundle.h"
#include "targets/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <string>

namespace aotc {

struct EmitOptions {
  std::string name;        ///< symbol prefix; made a C identifier if it is none
  std::string modelFile;   ///< any path: only its base name is used
  std::string modelSha256; ///< lower-case hexadecimal
  std::string options;     ///< for the report, see ModelInterface::options
  /// Also define `int32_t NAME_step(void *arena, size_t n)`, which executes
  /// instruction n alone, so that memory can be checked between any two.
  bool stepwise = false;
  bool hooks = false; ///< NAME_run calls those of aotc/hooks.h around each layer
  /// Of LLVM's pipeline, default<O2>; or 3, for comparisons (test/bench).
  int optimizationLevel = 2;
  bool minimizeSize = false;  ///< code of compiled kernels: small rather than fast
  std::string weightsSection; ///< of the weights; empty: .rodata.NAME.weights
  bool keepLLVM = false;      ///< a file .ll too: optimised, for tests and debugging
  /// Where kernel bitcode comes from; null: the modules built into aotc_target.
  llvm::function_ref<llvm::StringRef(llvm::StringRef level, Family)> kernels;
};

/// Precondition: the module holds func @main of instr operations, verified,
/// with an offset on every alloc. Deterministic: the same module, target and
/// options give the same bytes. Fails on what the caller can change (no
/// kernel module for a level, more memory than the target addresses, a kernel
/// that needs a library function), never leaves a partial result.
llvm::Expected<Bundle> emitBundle(mlir::ModuleOp module, const TargetSpec &target,
                                  const EmitOptions &options);

} // namespace aotc
