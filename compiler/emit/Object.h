// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM module -> optimised module -> ELF object, with the sizes the user is told.
#pragma once

#include "compiler/support/ModelInterface.h"
#include "targets/Target.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>

namespace aotc {

/// Code generator of a target: static for Cortex-M, position-independent
/// elsewhere; one section per function and constant; the row's float ABI.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTargetMachine(const TargetSpec &target);

/// Inlines the kernels and runs default<O2>, or O3 at level 3. Afterwards every symbol of the
/// module starts with `name` and every constant has its section. Fails on
/// writable static memory, which no kernel may have. `minimizeSize`: every
/// function is as short as can be.
llvm::Error optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                           const TargetSpec &target, const std::string &name, int level,
                           bool minimizeSize);

struct ObjectCode {
  std::string bytes;
  int64_t codeBytes = 0; ///< text and read-only data without weights
  int64_t weightsBytes = 0;
  int64_t stackBytes = -1; ///< deepest chain of frames from NAME_run; -1: a
                           ///< frame of unknown size
};

/// Generates code and checks it with checkObject().
llvm::Expected<ObjectCode> emitObject(llvm::Module &module, llvm::TargetMachine &machine,
                                      const TargetSpec &target, const ModelInterface &interface);

} // namespace aotc
