// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/Accesses.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

ByteRange aotc::rangeInRoot(Value value) {
  int64_t begin = resolveBuffer(value).offset;
  return {begin, begin + byteSize(cast<MemRefType>(value.getType()))};
}

Accesses::Accesses(func::FuncOp function) {
  for (auto op : function.front().getOps<InstrOpInterface>()) {
    auto position = static_cast<int64_t>(ops.size());
    ops.push_back(op);
    auto isIn = [](OpOperand &operand, OperandRange group) {
      unsigned first = group.empty() ? 0 : group.getBeginOperandIndex();
      return operand.getOperandNumber() >= first &&
             operand.getOperandNumber() < first + group.size();
    };
    for (OpOperand &operand : op->getOpOperands()) {
      // What is in no group (packed data) is read.
      bool writes = false, reads = true;
      if (isIn(operand, op.getOuts()))
        writes = true, reads = false;
      else if (isIn(operand, op.getInouts()) || isIn(operand, op.getScratch()))
        writes = true;
      byRoot[resolveBuffer(operand.get()).root].push_back(
          {position, &operand, rangeInRoot(operand.get()), reads, writes});
    }
  }
}

ArrayRef<Access> Accesses::of(Operation *root) const {
  auto found = byRoot.find(root);
  return found == byRoot.end() ? ArrayRef<Access>() : ArrayRef<Access>(found->second);
}
