// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Independent check of a plan. From the instructions alone: a buffer holds
// live bytes from the first instruction that touches it to the last (inputs
// from before the first, outputs until after the last). Two live at one time
// must be disjoint, but for one case: an input that is last read and an output
// that is first written by the same instruction, whose kernel's rule covers
// the distance in the direction in which it runs.
#include "passes/Passes.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

namespace aotc {
#define GEN_PASS_DEF_VERIFYPLAN
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

constexpr int64_t kBefore = -1, kAfter = std::numeric_limits<int64_t>::max();

/// Bytes [begin, end) of a region.
struct Range {
  int64_t begin, end;
  bool meets(Range other) const { return begin < other.end && other.begin < end; }
};

struct Placed {
  AllocOp alloc;
  Range bytes;
  int64_t from = kAfter, to = kBefore; ///< places of instructions in the block
};

struct VerifyPlan : aotc::impl::VerifyPlanBase<VerifyPlan> {
  void runOnOperation() override {
    placed.clear();
    instructions.clear();
    if (failed(collect()))
      return signalPassFailure();
    bool good = true;
    // In the order of birth, those that meet a buffer's life stand right behind it.
    SmallVector<size_t> byBirth = llvm::to_vector(llvm::seq<size_t>(placed.size()));
    auto at = [&](size_t i) -> Placed & { return (placed.begin() + i)->second; };
    llvm::sort(byBirth, [&](size_t a, size_t b) {
      return std::pair(at(a).from, a) < std::pair(at(b).from, b);
    });
    for (size_t i = 0; i < byBirth.size(); ++i)
      for (size_t k = i + 1; k < byBirth.size() && at(byBirth[k]).from <= at(byBirth[i]).to; ++k) {
        auto [first, second] = std::minmax(byBirth[i], byBirth[k]);
        good &= checkPair(at(first), at(second));
      }
    if (!good)
      signalPassFailure();
  }

private:
  /// What lies in the region of a caller's tensor: the tensor, at its start and
  /// nowhere beyond; beside it only what the caller allowed.
  bool checkInCallers(AllocOp alloc, AllocOp owner, RegionAttr region) {
    if (alloc == owner) {
      if (*alloc.getOffset() == 0 && region.getUsed() == alloc.getBytes())
        return true;
      alloc.emitError() << "the caller's buffer '" << alloc.getName() << "' does not fill region '"
                        << region.getName() << "'";
      return false;
    }
    bool consumable = ioModeOf(owner) == IoMode::callerConsumable;
    if (consumable && (alloc.getRole() == Role::internal || alloc.getRole() == Role::scratch))
      return true;
    alloc.emitError() << "buffer '" << alloc.getName() << "' lies in the caller's memory of '"
                      << owner.getName() << "'";
    return false;
  }

  /// Ranges and times of all buffers; checks what concerns one alone.
  LogicalResult collect() {
    func::FuncOp function = getOperation();
    if (function.isExternal() || !llvm::hasSingleElement(function.getBody()))
      return function.emitError() << getArgument() << " needs a function of one block";
    auto arena = function->getAttrOfType<IntegerAttr>(kArenaBytesAttr);
    if (!arena)
      return function.emitError() << getArgument()
                                  << " needs a planned function; run aotc-plan-memory first";

    auto regions = regionsOf(function);
    if (failed(regions))
      return failure();
    bool good = true;
    // The caller's tensors by region; their memory is no part of the arena.
    llvm::StringMap<AllocOp> callers;
    for (auto alloc : function.getOps<AllocOp>())
      if (isCallers(ioModeOf(alloc)) && alloc.getRegion())
        callers[*alloc.getRegion()] = alloc;
    int64_t sum = 0;
    for (RegionAttr region : *regions) {
      int64_t used = region.getUsed().value_or(0);
      sum += callers.contains(region.getName()) ? 0 : used;
      if (used > region.getCapacity().value_or(used)) {
        function.emitError() << "region '" << region.getName() << "' has " << *region.getCapacity()
                             << " bytes and the plan takes " << used;
        good = false;
      }
    }
    if (sum != arena.getInt()) {
      function.emitError() << kArenaBytesAttr << " is " << arena.getInt()
                           << ", but the regions sum to " << sum;
      good = false;
    }
    int64_t place = 0;
    for (Operation &op : function.front()) {
      if (auto alloc = dyn_cast<AllocOp>(op)) {
        if (!alloc.getOffset() || !alloc.getRegion())
          return alloc.emitError() << "buffer '" << alloc.getName() << "' has no offset or region";
        int64_t offset = *alloc.getOffset(), end = offset + alloc.getBytes();
        auto region = llvm::find_if(
            *regions, [&](RegionAttr r) { return r.getName() == *alloc.getRegion(); });
        if (region == regions->end())
          return alloc.emitError() << "buffer '" << alloc.getName() << "' is in region '"
                                   << *alloc.getRegion() << "', which does not exist";
        if (int64_t used = region->getUsed().value_or(0); offset < 0 || end > used) {
          alloc.emitError() << "buffer '" << alloc.getName() << "' at bytes " << offset << " to "
                            << end << " is outside the " << used << " bytes of region '"
                            << region->getName() << "'";
          good = false;
        }
        if (AllocOp owner = callers.lookup(region->getName()))
          good &= checkInCallers(alloc, owner, *region);
        if (offset % static_cast<int64_t>(alloc.getAlign())) {
          alloc.emitError() << "buffer '" << alloc.getName() << "' at " << offset
                            << " is not aligned to " << alloc.getAlign();
          good = false;
        }
        Placed entry{alloc, {offset, end}};
        if (alloc.getRole() == Role::input || alloc.getRole() == Role::state)
          entry.from = entry.to = kBefore;
        if (alloc.getRole() == Role::output || alloc.getRole() == Role::state ||
            alloc.getPreserved())
          entry.to = kAfter;
        placed.insert({alloc.getOperation(), entry});
      } else if (isa<InstrOpInterface>(op)) {
        instructions.push_back(&op);
        for (Value operand : op.getOperands())
          if (auto found = placed.find(resolveBuffer(operand).root); found != placed.end()) {
            found->second.from = std::min(found->second.from, place);
            found->second.to = std::max(found->second.to, place);
          }
        ++place;
      }
    }
    return success(good);
  }

  bool checkPair(Placed &a, Placed &b) {
    bool together = a.from <= b.to && b.from <= a.to;
    AllocOp first = a.alloc, second = b.alloc;
    if (!together || !a.bytes.meets(b.bytes) || first.getRegion() != second.getRegion())
      return true;
    std::string why;
    if (a.to == b.from && handsOver(a, b, why))
      return true;
    if (b.to == a.from && handsOver(b, a, why))
      return true;
    InFlightDiagnostic error = second.emitError();
    error << "buffers '" << first.getName() << "' at bytes " << a.bytes.begin << " to "
          << a.bytes.end << " and '" << second.getName() << "' at bytes " << b.bytes.begin << " to "
          << b.bytes.end << " overlap while both are live";
    if (!why.empty())
      error << ": " << why;
    return false;
  }

  static Range rangeOf(Value value, Placed &buffer) {
    int64_t begin = buffer.bytes.begin + resolveBuffer(value).offset;
    return {begin, begin + byteSize(cast<MemRefType>(value.getType()))};
  }

  /// May the buffer that dies at the instruction share with the one born there?
  bool handsOver(Placed &dying, Placed &born, std::string &why) {
    if (dying.to < 0 || dying.to >= static_cast<int64_t>(instructions.size()))
      return false;
    auto op = cast<InstrOpInterface>(instructions[dying.to]);
    auto on = [](Value value, Placed &buffer) {
      return resolveBuffer(value).root == buffer.alloc.getOperation();
    };
    // The dying one is only read, the born one only written.
    size_t reads = llvm::count_if(op.getIns(), [&](Value v) { return on(v, dying); });
    size_t writes = llvm::count_if(op.getOuts(), [&](Value v) { return on(v, born); });
    for (Value operand : op->getOperands()) {
      if (on(operand, dying))
        --reads;
      if (on(operand, born))
        --writes;
    }
    if (reads || writes)
      return false;

    bool descending = op.getDescending();
    for (auto [o, out] : llvm::enumerate(op.getOuts())) {
      if (!on(out, born))
        continue;
      for (auto [i, in] : llvm::enumerate(op.getIns())) {
        if (!on(in, dying) || !rangeOf(in, dying).meets(rangeOf(out, born)))
          continue;
        int64_t apart = rangeOf(in, dying).begin - rangeOf(out, born).begin;
        if (!permits(op, i, o, apart, descending)) {
          why = llvm::formatv(
              "'{0}' runs {1} and no rule lets output {2} start {3} bytes below input {4}",
              op->getName().getStringRef(), descending ? "last to first" : "first to last", o,
              apart, i);
          return false;
        }
      }
      // One output takes over one buffer.
      for (Value in : op.getIns()) {
        auto other = placed.find(resolveBuffer(in).root);
        if (other != placed.end() && !on(in, dying) && !on(in, born) &&
            other->second.alloc.getRegion() == born.alloc.getRegion() &&
            rangeOf(in, other->second).meets(rangeOf(out, born))) {
          why = "the output also overlaps another input";
          return false;
        }
      }
    }
    return true;
  }

  static bool permits(InstrOpInterface op, int64_t input, int64_t output, int64_t apart,
                      bool descending) {
    for (OverlapAttr rule : op.getOverlapRules()) {
      auto needed = descending ? rule.getDescending() : rule.getAscending();
      if (rule.getInput() == input && rule.getOutput() == output && needed &&
          (descending ? -apart : apart) >= *needed && apart % rule.getMultiple() == 0)
        return true;
    }
    return false;
  }

  llvm::MapVector<Operation *, Placed> placed;
  SmallVector<Operation *> instructions;
};

} // namespace
