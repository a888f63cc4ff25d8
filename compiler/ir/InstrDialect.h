// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `instr` dialect: explicit buffers and kernel calls (InstrDialect.td).
#pragma once

#include "compiler/ir/NNDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <optional>

#include "compiler/ir/InstrDialect.h.inc"
#include "compiler/ir/InstrEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/InstrAttributes.h.inc"
#include "compiler/ir/InstrInterfaces.h.inc"
#define GET_OP_CLASSES
#include "compiler/ir/InstrOps.h.inc"

namespace aotc::instr {

/// Bytes of a statically shaped memref of storage type, without padding.
int64_t byteSize(mlir::MemRefType type);

/// The buffer behind a chain of views, and the byte offset in it. The root is
/// an instr.alloc or instr.constant.
struct BufferRef {
  mlir::Operation *root = nullptr;
  int64_t offset = 0;
};
BufferRef resolveBuffer(mlir::Value value);

} // namespace aotc::instr
