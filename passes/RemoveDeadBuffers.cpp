// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk from the last instruction to the first with the set of bytes that
// someone will still read. An instruction that writes none of them goes, and
// what only it read dies with it.
#include "passes/Passes.h"
#include "passes/analysis/Accesses.h"
#include "passes/analysis/BufferLiveness.h"

namespace aotc {
#define GEN_PASS_DEF_REMOVEDEADBUFFERS
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

/// Bytes of one buffer, as disjoint ranges.
class ByteSet {
public:
  bool meets(ByteRange range) const {
    return llvm::any_of(ranges, [&](ByteRange have) { return have.meets(range); });
  }
  void add(ByteRange range) {
    remove(range);
    if (range.begin < range.end)
      ranges.push_back(range);
  }
  void remove(ByteRange range) {
    SmallVector<ByteRange> rest;
    for (ByteRange have : ranges) {
      if (!have.meets(range)) {
        rest.push_back(have);
        continue;
      }
      if (have.begin < range.begin)
        rest.push_back({have.begin, range.begin});
      if (range.end < have.end)
        rest.push_back({range.end, have.end});
    }
    ranges = std::move(rest);
  }

private:
  SmallVector<ByteRange> ranges;
};

struct RemoveDeadBuffers : aotc::impl::RemoveDeadBuffersBase<RemoveDeadBuffers> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (failed(BufferLiveness::compute(function, getArgument())))
      return signalPassFailure();
    removeInstructions(function);
    removeMemory(function);
  }

private:
  void removeInstructions(func::FuncOp function) {
    Accesses accesses(function);
    SmallVector<SmallVector<std::pair<Operation *, Access>>> touches(
        accesses.instructions().size());
    DenseMap<Operation *, ByteSet> wanted;
    for (const auto &[root, list] : accesses) {
      for (const Access &access : list)
        touches[access.position].push_back({root, access});
      if (auto alloc = dyn_cast_or_null<AllocOp>(root))
        if (alloc.livesToEnd())
          wanted[root].add({0, alloc.getBytes()});
    }
    for (int64_t i = static_cast<int64_t>(touches.size()) - 1; i >= 0; --i) {
      InstrOpInterface op = accesses.instructions()[i];
      bool useful = llvm::any_of(touches[i], [&](auto &touch) {
        return touch.second.writes && wanted[touch.first].meets(touch.second.range);
      });
      if (!useful) {
        op->erase();
        ++numInstructions;
        continue;
      }
      for (auto &[root, access] : touches[i])
        if (access.writes && !access.reads)
          wanted[root].remove(access.range);
      for (auto &[root, access] : touches[i])
        if (access.reads && !llvm::is_contained(op.getScratch(), access.operand->get()))
          wanted[root].add(access.range);
    }
  }

  void removeMemory(func::FuncOp function) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(function.front()))) {
      if (isa<ViewOp, ConstantOp>(op)) {
        if (op.use_empty())
          op.erase();
        continue;
      }
      auto alloc = dyn_cast<AllocOp>(op);
      if (!alloc || (alloc.getRole() != Role::internal && alloc.getRole() != Role::scratch) ||
          !llvm::all_of(alloc->getUsers(), llvm::IsaPred<DeallocOp>))
        continue;
      for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
        user->erase();
      alloc->erase();
      ++numBuffers;
    }
  }
};

} // namespace
