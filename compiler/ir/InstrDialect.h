// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The `instr` dialect: explicit buffers and kernel calls (InstrDialect.td).
#pragma once

#include "compiler/ir/NNDialect.h"
#include "compiler/support/IoMode.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <optional>

namespace aotc::instr {
/// A storage type the kernels know, at most nn::kLargestBytes bytes.
bool isBufferType(mlir::MemRefType type);
} // namespace aotc::instr

#include "compiler/ir/InstrDialect.h.inc"
#include "compiler/ir/InstrEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/ir/InstrAttributes.h.inc"
#include "compiler/ir/InstrInterfaces.h.inc"
#define GET_OP_CLASSES
#include "compiler/ir/InstrOps.h.inc"

namespace aotc::instr {

/// Discardable attribute of the allocs of inputs and outputs: their tensor
/// type in the graph, which tells the header their quantisation and sign.
inline constexpr llvm::StringLiteral kTensorTypeAttr = "nn.type";

/// Discardable attribute of a function: the memory its buffers may lie in, an
/// array of #instr.region with different names.
inline constexpr llvm::StringLiteral kRegionsAttr = "instr.regions";
/// Its list; one region "arena" of any size, used as far as kArenaBytesAttr
/// says, if it has none. Fails, with a diagnostic, if it is no such list.
mlir::FailureOr<llvm::SmallVector<RegionAttr>> regionsOf(mlir::Operation *function);

/// Discardable attribute (string) of the allocs of inputs and outputs: an ioModeName();
/// absent: "arena". Only place-io acts on it.
inline constexpr llvm::StringLiteral kIoModeAttr = "instr.io";
/// What it says.
IoMode ioModeOf(AllocOp alloc);

/// Discardable attributes of a planned function, for the report (each may be
/// absent): bytes of all inputs and outputs (i64), bytes of all regions (i64),
/// the planner's lower bound (i64), whether the plan is proved optimal (bool), and the height of a
/// plan of the same lifetimes without scratch (i64).
inline constexpr llvm::StringLiteral kIoUsedMemoryAttr = "instr.io_used_memory";
inline constexpr llvm::StringLiteral kArenaBytesAttr = "instr.arena_bytes";
inline constexpr llvm::StringLiteral kPlanBoundAttr = "instr.plan_bound";
inline constexpr llvm::StringLiteral kPlanOptimalAttr = "instr.plan_optimal";
inline constexpr llvm::StringLiteral kArenaWithoutScratchAttr = "instr.arena_without_scratch";
/// Of the schedule (bool, i64, i64): no order has a smaller peak; the largest
/// footprint of an instruction; the same in the order before.
inline constexpr llvm::StringLiteral kOrderProvedAttr = "instr.order_proved";
inline constexpr llvm::StringLiteral kOrderPeakAttr = "instr.order_peak";
inline constexpr llvm::StringLiteral kOrderGivenPeakAttr = "instr.order_given_peak";
/// Of advise (array of {change: string, arena_bytes: i64}, string): single changes
/// that lower the arena, best first, and what it then takes; the same as a sentence.
inline constexpr llvm::StringLiteral kAdviceAttr = "instr.advice";
inline constexpr llvm::StringLiteral kAdviceTextAttr = "instr.advice_text";

/// Bytes of a statically shaped memref of storage type, without padding.
int64_t byteSize(mlir::MemRefType type);

/// Row pointers of one call of a row kernel: those of a whole block's windows.
int64_t rowPointers(RowsAttr rows);

/// The buffer behind a chain of views, and the byte offset in it. The root is
/// an instr.alloc or instr.constant.
struct BufferRef {
  mlir::Operation *root = nullptr;
  int64_t offset = 0;
};
BufferRef resolveBuffer(mlir::Value value);

} // namespace aotc::instr
