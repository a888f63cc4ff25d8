// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the operands of instructions are: at an offset of a region, or in a
// constant, which is written into the module.
#pragma once

#include "compiler/ir/InstrDialect.h"
#include "compiler/support/ModelInterface.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace aotc {

/// Where an operand is: `bytes` bytes from `offset` in a constant, or in a
/// region (a number in ModelInterface::regions) if there is none.
struct Place {
  llvm::GlobalVariable *constant = nullptr;
  int64_t offset = 0, bytes = 0;
  size_t region = 0;

  bool sharesBytesWith(const Place &other) const {
    return constant == other.constant && region == other.region &&
           offset < other.offset + other.bytes && other.offset < offset + bytes;
  }
};

class Places {
public:
  Places(llvm::Module &module, const ModelInterface &interface)
      : module(module), interface(interface) {}

  /// Errors: a constant without bytes, or a value that has no place.
  llvm::Expected<Place> of(mlir::Value value);
  Place ofWords(llvm::ArrayRef<int32_t> words, llvm::StringRef name);

  /// The largest power of two known to divide its address.
  llvm::Align alignment(const Place &place) const;

  /// Where each region starts, in the function that is being written.
  void setBases(std::vector<llvm::Value *> values) { bases = std::move(values); }
  llvm::Value *address(llvm::IRBuilder<> &b, const Place &place) const;

private:
  llvm::Expected<llvm::GlobalVariable *> constant(instr::ConstantOp op);
  llvm::GlobalVariable *bytesGlobal(llvm::ArrayRef<char> bytes, int64_t align, bool weights,
                                    llvm::StringRef name);

  llvm::Module &module;
  const ModelInterface &interface;
  std::vector<llvm::Value *> bases;
  llvm::StringMap<llvm::GlobalVariable *> globals; ///< by content
};

} // namespace aotc
