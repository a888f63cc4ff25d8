// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are written in their plainest form, with constant bounds; LLVM unrolls
// the fill of a small window and strength-reduces the products. The loops that
// hold the kernel are never unrolled: that would copy its whole body.
#include "compiler/emit/RowLoop.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace aotc;
using namespace llvm;

namespace {

/// "Do not unroll", as the metadata of one loop.
MDNode *noUnroll(LLVMContext &context) {
  MDNode *rule = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context, {nullptr, rule});
  loop->replaceOperandWith(0, loop); // its own first operand: an identity
  return loop;
}

/// body(i) for i = 0 … count-1 (or count-1 … 0).
void emitLoop(IRBuilder<> &b, Type *index, int64_t count, bool descending, bool holdsKernel,
              const Twine &name, function_ref<void(Value *)> body) {
  if (count == 1) {
    body(ConstantInt::get(index, 0));
    return;
  }
  Function *function = b.GetInsertBlock()->getParent();
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(b.getContext(), name, function);
  BasicBlock *after = BasicBlock::Create(b.getContext(), name + ".end", function);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *i = b.CreatePHI(index, 2, name + ".i");
  int64_t first = descending ? count - 1 : 0;
  int64_t step = descending ? -1 : 1;
  int64_t last = descending ? 0 : count - 1;
  i->addIncoming(ConstantInt::get(index, first), before);
  body(i);
  Value *next = b.CreateAdd(i, ConstantInt::getSigned(index, step));
  i->addIncoming(next, b.GetInsertBlock());
  Instruction *turn = b.CreateCondBr(b.CreateICmpEQ(i, ConstantInt::get(index, last)), after, loop);
  if (holdsKernel)
    turn->setMetadata(LLVMContext::MD_loop, noUnroll(b.getContext()));
  b.SetInsertPoint(after);
}

} // namespace

void aotc::emitRowLoop(IRBuilder<> &b, const RowGeometry &rows, bool descending, Value *input,
                       Value *output, Value *table, BlockCall callKernel) {
  Function *function = b.GetInsertBlock()->getParent();
  const DataLayout &layout = function->getParent()->getDataLayout();
  Type *index = layout.getIndexType(b.getContext(), 0);
  auto constant = [&](int64_t value) { return ConstantInt::getSigned(index, value); };
  auto at = [&](Value *base, Value *row, int64_t rowBytes) {
    return b.CreateGEP(b.getInt8Ty(), base, b.CreateMul(row, constant(rowBytes)));
  };

  int64_t block = std::min(rows.blockRows, rows.outRows);
  int64_t blocks = divideCeil(rows.outRows, block);
  int64_t window = (block - 1) * rows.stride + rows.windowRows;
  IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().begin());
  Value *inRows =
      table ? table : entry.CreateAlloca(entry.getPtrTy(), entry.getInt32(window), "rows");
  Value *outRows = table ? b.CreateConstGEP1_32(b.getPtrTy(), table, window)
                         : entry.CreateAlloca(entry.getPtrTy(), entry.getInt32(block), "results");

  emitLoop(b, index, rows.batches, descending, true, "batch", [&](Value *batch) {
    Value *image = at(input, batch, rows.inRows * rows.inRowBytes);
    Value *result = at(output, batch, rows.outRows * rows.outRowBytes);
    emitLoop(b, index, blocks, descending, true, "block", [&](Value *number) {
      Value *y = b.CreateMul(number, constant(block));
      Value *top = b.CreateSub(b.CreateMul(y, constant(rows.stride)), constant(rows.padTop));
      emitLoop(b, index, window, false, false, "window", [&](Value *i) {
        Value *row = b.CreateAdd(top, i);
        // One unsigned comparison: rows above the image wrap to large values.
        Value *inside = b.CreateICmpULT(row, constant(rows.inRows));
        Value *pointer = b.CreateSelect(inside, at(image, row, rows.inRowBytes),
                                        ConstantPointerNull::get(b.getPtrTy()));
        b.CreateStore(pointer, b.CreateGEP(b.getPtrTy(), inRows, i));
      });
      Value *count = constant(block);
      if (rows.outRows % block)
        count =
            b.CreateBinaryIntrinsic(Intrinsic::umin, count, b.CreateSub(constant(rows.outRows), y));
      Value *first = at(result, y, rows.outRowBytes);
      // Pointers past the last row of a short block are never read.
      emitLoop(b, index, block, false, false, "result", [&](Value *i) {
        b.CreateStore(at(first, i, rows.outRowBytes), b.CreateGEP(b.getPtrTy(), outRows, i));
      });
      callKernel(inRows, outRows, b.CreateTrunc(count, b.getInt32Ty()));
    });
  });
}
