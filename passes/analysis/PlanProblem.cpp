// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/analysis/PlanProblem.h"
#include "passes/analysis/Overlaps.h"
#include "passes/planner/SubProblem.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace aotc;
using namespace aotc::instr;

namespace {

planner::Role toPlannerRole(Role role) {
  switch (role) {
  case Role::internal:
    return planner::Role::internal;
  case Role::scratch:
    return planner::Role::scratch;
  case Role::input:
    return planner::Role::input;
  case Role::output:
    return planner::Role::output;
  case Role::state:
    return planner::Role::state;
  }
  llvm_unreachable("unknown role");
}

} // namespace

FailureOr<PlanProblem> aotc::planProblem(const BufferLiveness &liveness,
                                         ArrayRef<RegionAttr> regions, StringRef who) {
  PlanProblem result;
  result.problem.regions.clear();
  for (RegionAttr region : regions)
    result.problem.regions.push_back(
        {region.getName().str(), region.getCapacity(), region.getCost()});
  result.owners.assign(regions.size(), IoMode::arena);
  for (const BufferLife &life : liveness.buffers()) {
    AllocOp alloc = life.alloc;
    planner::Buffer buffer;
    buffer.name = alloc.getName().str();
    buffer.size = std::max<int64_t>(alloc.getBytes(), 1);
    buffer.align = alloc.getAlign();
    buffer.life = {life.first, std::max(life.first, life.last)};
    buffer.role = toPlannerRole(alloc.getRole());
    if (auto offset = alloc.getOffset())
      buffer.fixedOffset = *offset;
    if (auto name = alloc.getRegion()) {
      auto found = llvm::find_if(regions, [&](RegionAttr r) { return r.getName() == *name; });
      if (found == regions.end())
        return alloc.emitError() << who << ": buffer '" << alloc.getName() << "' wants region '"
                                 << *name << "', which does not exist";
      buffer.fixedRegion = static_cast<int>(found - regions.begin());
      if (isCallers(ioModeOf(alloc)))
        result.owners[*buffer.fixedRegion] = ioModeOf(alloc);
    }
    result.problem.buffers.push_back(buffer);
  }
  for (InstrOpInterface op : liveness.instructions()) {
    SmallVector<OverlapAttr> rules = recordedShares(op);
    llvm::SetVector<std::pair<int, int>> pairs;
    for (OverlapAttr rule : rules)
      pairs.insert({liveness.indexOf(op.getIns()[rule.getInput()]),
                    liveness.indexOf(op.getOuts()[rule.getOutput()])});
    for (auto [input, output] : pairs)
      for (planner::MayOverlap may : overlapsOf(op, rules, liveness.buffers()[input].alloc,
                                                liveness.buffers()[output].alloc)) {
        may.input = input;
        may.output = output;
        result.problem.mayOverlap.push_back(may);
        result.instructionOf.push_back(op);
      }
  }
  allowRegions(result.problem, result.owners);
  return result;
}

planner::Problem aotc::withoutBuffers(const planner::Problem &problem,
                                      llvm::function_ref<bool(const planner::Buffer &)> drop) {
  std::vector<bool> keep;
  for (const planner::Buffer &buffer : problem.buffers)
    keep.push_back(!drop(buffer));
  return planner::SubProblem(problem, keep).problem;
}
