// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who touches which bytes of which buffer, through any view.
#pragma once

#include "compiler/ir/InstrDialect.h"

#include "llvm/ADT/MapVector.h"

namespace aotc {

/// Bytes [begin, end) of a buffer.
struct ByteRange {
  int64_t begin = 0, end = 0;
  bool meets(ByteRange other) const { return begin < other.end && other.begin < end; }
  bool operator==(ByteRange other) const { return begin == other.begin && end == other.end; }
};

struct Access {
  int64_t position = 0; ///< index of the instruction
  mlir::OpOperand *operand = nullptr;
  ByteRange range;
  bool reads = false, writes = false;
};

class Accesses {
public:
  /// Of a function that is one block of instructions (BufferLiveness checks).
  explicit Accesses(mlir::func::FuncOp function);

  llvm::ArrayRef<instr::InstrOpInterface> instructions() const { return ops; }
  /// Of the buffer or constant that `root` makes, by position.
  llvm::ArrayRef<Access> of(mlir::Operation *root) const;
  /// Roots in the order in which they are first touched.
  auto begin() const { return byRoot.begin(); }
  auto end() const { return byRoot.end(); }

private:
  llvm::SmallVector<instr::InstrOpInterface> ops;
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<Access>> byRoot;
};

/// The bytes of its root that an operand covers.
ByteRange rangeInRoot(mlir::Value value);

} // namespace aotc
