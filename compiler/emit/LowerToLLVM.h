// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// instr -> LLVM IR by llvm::IRBuilder. (Not through MLIR's LLVM dialect: what
// we print is a dozen kinds of instruction, and kernels arrive as LLVM modules.)
#pragma once

#include "compiler/support/ModelInterface.h"
#include "targets/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace aotc {

/// A kernel the module calls: its symbol and the level of its bitcode.
struct KernelUse {
  std::string symbol, level;
};

struct LoweredModule {
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> functions; ///< by step: what the step calls
  std::vector<KernelUse> kernels;     ///< each symbol once, in order of use
};

/// NAME_run, its alias abiSymbol(), one internal function per sharing key
/// (README.md, "Sharing") and all constants; kernels stay declarations.
/// `minimizeSize`: layers of many shapes share a portable kernel.
llvm::Expected<LoweredModule> lowerToLLVM(mlir::func::FuncOp main, const ModelInterface &interface,
                                          const TargetSpec &target, const llvm::DataLayout &layout,
                                          llvm::LLVMContext &context, bool stepwise,
                                          bool minimizeSize);

/// Section of constants that are no weights (ModelInterface::weightsSection), so
/// that linker scripts can place the two apart: .rodata.NAME.
std::string rodataSection(llvm::StringRef name);

} // namespace aotc
