// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop around a row kernel. It belongs to the compiler (KernelABI.h): the
// kernel computes one block of output rows from an array of row pointers.
#pragma once

#include "targets/Kernel.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace aotc {

/// Calls the kernel for one block: the arrays of input and output rows, and the
/// number of output rows (i32).
using BlockCall =
    llvm::function_ref<void(llvm::Value *inRows, llvm::Value *outRows, llvm::Value *rows)>;

/// The sizes of a row loop that calls of one function may differ in, as words;
/// what remains of the geometry shapes the code.
std::vector<int32_t> rowWords(const RowGeometry &rows);
std::string rowShapeKey(const RowGeometry &rows);

/// Emits batches x blocks at the builder's place; leaves it after the loop.
/// Blocks are aligned to the first row, so the last one may be shorter; in
/// descending order it runs first, and so does the last batch. Pointers of
/// rows outside the image are null. They stand in `table`, or on the stack if
/// it is null. `words` points to rowWords(); all else is taken from `rows`.
void emitRowLoop(llvm::IRBuilder<> &builder, const RowGeometry &rows, bool descending,
                 llvm::Value *words, llvm::Value *input, llvm::Value *output, llvm::Value *table,
                 BlockCall callKernel);

} // namespace aotc
