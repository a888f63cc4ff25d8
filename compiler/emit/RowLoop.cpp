// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops are written in their plainest form; LLVM unrolls the fill of a small
// window and strength-reduces the products. Sizes are loads from constant words:
// where all calls pass the same ones, they fold. The loops that hold the kernel
// are never unrolled: that would copy its whole body.
#include "compiler/emit/RowLoop.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"

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

/// body(i) for i = 0 … count-1 (or count-1 … 0); count >= 1.
void emitLoop(IRBuilder<> &b, Value *count, bool descending, bool holdsKernel, const Twine &name,
              function_ref<void(Value *)> body) {
  Type *index = count->getType();
  Constant *zero = ConstantInt::get(index, 0);
  if (auto *known = dyn_cast<ConstantInt>(count); known && known->isOne()) {
    body(zero);
    return;
  }
  Function *function = b.GetInsertBlock()->getParent();
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *loop = BasicBlock::Create(b.getContext(), name, function);
  BasicBlock *after = BasicBlock::Create(b.getContext(), name + ".end", function);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  PHINode *i = b.CreatePHI(index, 2, name + ".i");
  int64_t step = descending ? -1 : 1;
  IRBuilder<> ahead(before->getTerminator());
  Value *end = ahead.CreateSub(count, ConstantInt::get(index, 1));
  i->addIncoming(descending ? end : zero, before);
  body(i);
  Value *next = b.CreateAdd(i, ConstantInt::getSigned(index, step));
  i->addIncoming(next, b.GetInsertBlock());
  Instruction *turn = b.CreateCondBr(b.CreateICmpEQ(i, descending ? zero : end), after, loop);
  if (holdsKernel)
    turn->setMetadata(LLVMContext::MD_loop, noUnroll(b.getContext()));
  b.SetInsertPoint(after);
}

/// Output rows of a call, and input rows of its window.
int64_t blockOf(const RowGeometry &rows) { return std::min(rows.blockRows, rows.outRows); }
int64_t windowOf(const RowGeometry &rows) {
  return (blockOf(rows) - 1) * rows.stride + rows.windowRows;
}

} // namespace

std::vector<int32_t> aotc::rowWords(const RowGeometry &rows) {
  return {int32_t(rows.batches), int32_t(rows.inRows),      int32_t(rows.inRowBytes),
          int32_t(rows.outRows), int32_t(rows.outRowBytes), int32_t(rows.padTop)};
}

std::string aotc::rowShapeKey(const RowGeometry &rows) {
  return formatv("{0} {1} {2} {3} {4}", rows.batches == 1, rows.outRows == 1, blockOf(rows),
                 windowOf(rows), rows.stride)
      .str();
}

void aotc::emitRowLoop(IRBuilder<> &b, const RowGeometry &rows, bool descending, Value *words,
                       Value *input, Value *output, Value *table, BlockCall callKernel) {
  Function *function = b.GetInsertBlock()->getParent();
  const DataLayout &layout = function->getParent()->getDataLayout();
  Type *index = layout.getIndexType(b.getContext(), 0);
  auto constant = [&](int64_t value) { return ConstantInt::getSigned(index, value); };
  int next = 0;
  auto word = [&](const Twine &name) {
    Value *value =
        b.CreateLoad(b.getInt32Ty(), b.CreateConstGEP1_32(b.getInt32Ty(), words, next++));
    return b.CreateSExtOrTrunc(value, index, name);
  };
  Value *batches = word("batches"), *inRows = word("in.rows"), *inBytes = word("in.bytes");
  Value *outRows = word("out.rows"), *outBytes = word("out.bytes"), *padTop = word("pad.top");
  if (rows.batches == 1)
    batches = constant(1);
  if (rows.outRows == 1)
    outRows = constant(1);
  auto at = [&](Value *base, Value *row, Value *rowBytes) {
    return b.CreateGEP(b.getInt8Ty(), base, b.CreateMul(row, rowBytes));
  };

  const int64_t block = blockOf(rows), window = windowOf(rows);
  Value *blocks = block == 1 ? outRows
                             : b.CreateUDiv(b.CreateAdd(outRows, constant(block - 1)),
                                            constant(block), "blocks");
  IRBuilder<> entry(&function->getEntryBlock(), function->getEntryBlock().begin());
  Value *inTable =
      table ? table : entry.CreateAlloca(entry.getPtrTy(), entry.getInt32(window), "rows");
  Value *outTable = table ? b.CreateConstGEP1_32(b.getPtrTy(), table, window)
                          : entry.CreateAlloca(entry.getPtrTy(), entry.getInt32(block), "results");

  emitLoop(b, batches, descending, true, "batch", [&](Value *batch) {
    Value *image = at(input, batch, b.CreateMul(inRows, inBytes));
    Value *result = at(output, batch, b.CreateMul(outRows, outBytes));
    emitLoop(b, blocks, descending, true, "block", [&](Value *number) {
      Value *y = b.CreateMul(number, constant(block));
      Value *top = b.CreateSub(b.CreateMul(y, constant(rows.stride)), padTop);
      emitLoop(b, constant(window), false, false, "window", [&](Value *i) {
        Value *row = b.CreateAdd(top, i);
        // One unsigned comparison: rows above the image wrap to large values.
        Value *inside = b.CreateICmpULT(row, inRows);
        Value *pointer =
            b.CreateSelect(inside, at(image, row, inBytes), ConstantPointerNull::get(b.getPtrTy()));
        b.CreateStore(pointer, b.CreateGEP(b.getPtrTy(), inTable, i));
      });
      Value *count = constant(block);
      if (block > 1)
        count = b.CreateBinaryIntrinsic(Intrinsic::umin, count, b.CreateSub(outRows, y));
      Value *first = at(result, y, outBytes);
      // Pointers past the last row of a short block are never read.
      emitLoop(b, constant(block), false, false, "result", [&](Value *i) {
        b.CreateStore(at(first, i, outBytes), b.CreateGEP(b.getPtrTy(), outTable, i));
      });
      callKernel(inTable, outTable, b.CreateTrunc(count, b.getInt32Ty()));
    });
  });
}
