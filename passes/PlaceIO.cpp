// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the caller wants of inputs and outputs, in terms the planner knows: a
// buffer that lives to the end, or a region of its own.
#include "passes/Passes.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/FormatVariadic.h"

namespace aotc {
#define GEN_PASS_DEF_PLACEIO
#include "passes/Passes.h.inc"
} // namespace aotc

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

struct PlaceIO : aotc::impl::PlaceIOBase<PlaceIO> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    auto listed = regionsOf(function);
    if (failed(listed))
      return signalPassFailure();
    SmallVector<Attribute> regions(listed->begin(), listed->end());
    // Inputs in front of outputs, each in the order of the model, as NAME_run takes them.
    SmallVector<AllocOp> callers;
    for (auto alloc : function.getOps<AllocOp>()) {
      FailureOr<IoMode> mode = checkedMode(alloc);
      if (failed(mode))
        return signalPassFailure();
      if (*mode == IoMode::arenaPreserved)
        alloc.setPreserved(true);
      if (isCallers(*mode))
        callers.push_back(alloc);
    }
    llvm::sort(callers, [](AllocOp a, AllocOp b) {
      return std::pair(a.getRole() != Role::input, *a.getPosition()) <
             std::pair(b.getRole() != Role::input, *b.getPosition());
    });
    for (AllocOp alloc : callers) {
      std::string name =
          llvm::formatv("{0} {1}", stringifyRole(alloc.getRole()), *alloc.getPosition());
      regions.push_back(RegionAttr::get(&getContext(), name, std::max<int64_t>(alloc.getBytes(), 1),
                                        /*cost=*/0, alloc.getAlign(), /*base=*/std::nullopt,
                                        /*section=*/"",
                                        /*used=*/std::nullopt));
      alloc.setRegion(name);
      alloc.setOffset(0);
    }
    if (!callers.empty())
      function->setAttr(kRegionsAttr, ArrayAttr::get(&getContext(), regions));
  }

private:
  FailureOr<IoMode> checkedMode(AllocOp alloc) {
    Attribute attr = alloc->getDiscardableAttr(kIoModeAttr);
    if (!attr)
      return IoMode::arena;
    auto text = dyn_cast<StringAttr>(attr);
    std::optional<IoMode> mode = text ? parseIoMode(text.getValue()) : std::nullopt;
    if (!mode)
      return alloc.emitError() << kIoModeAttr << " is " << attr
                               << ", no mode of an input or output";
    if (!alloc.getPosition() || (alloc.getRole() != Role::input && alloc.getRole() != Role::output))
      return alloc.emitError() << "buffer '" << alloc.getName() << "' has " << kIoModeAttr
                               << " but is neither input nor output";
    if (isCallers(*mode) && (alloc.getRegion() || alloc.getOffset()))
      return alloc.emitError() << "buffer '" << alloc.getName()
                               << "' is the caller's but has a place already";
    return *mode;
  }
};

} // namespace
